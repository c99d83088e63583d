import { useLingui } from '@lingui/react/macro'
import { FileField } from '@/components/files/FileField'
import { type Uploads, useUploads } from '@/components/files/useUploads'

export const MOST_PICTURES = 5
export const MOST_VIDEOS = 1

export interface EvidenceUploads {
  pictures: Uploads
  videos: Uploads
}

export function useEvidence(): EvidenceUploads {
  return { pictures: useUploads(MOST_PICTURES), videos: useUploads(MOST_VIDEOS) }
}

export const isBusy = ({ pictures, videos }: EvidenceUploads) => pictures.busy || videos.busy
export const isEmpty = ({ pictures, videos }: EvidenceUploads) =>
  pictures.ids.length === 0 && videos.ids.length === 0
export const hasFailed = ({ pictures, videos }: EvidenceUploads) => pictures.failed || videos.failed

/** The pictures and the video that a party adds to an appeal. */
export function EvidenceFields({ evidence, tried }: { evidence: EvidenceUploads; tried: boolean }) {
  const { t } = useLingui()
  const failed = t`Remove the files that weren’t uploaded, or try again.`
  return (
    <>
      <FileField
        label={t`Pictures`}
        hint={t`Such as bank statements or messages. The other party sees them, too.`}
        error={
          !tried
            ? ''
            : evidence.pictures.failed
              ? failed
              : isEmpty(evidence)
                ? t`Add at least one picture or video.`
                : ''
        }
        uploads={evidence.pictures}
        most={MOST_PICTURES}
      />
      <FileField
        label={t`Video`}
        hint={t`Such as a recording of your bank’s app. At most 50 MB.`}
        error={tried && evidence.videos.failed ? failed : ''}
        uploads={evidence.videos}
        kinds="video"
        most={MOST_VIDEOS}
      />
    </>
  )
}
