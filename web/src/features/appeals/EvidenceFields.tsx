import { useLingui } from '@lingui/react/macro'
import type { Appeal, Order } from '@/api/types'
import { FileField } from '@/components/files/FileField'
import { type Uploads, useUploads } from '@/components/files/useUploads'

/** How many pictures and videos a party can add to an appeal. */
export interface EvidenceRoom {
  pictures: number
  videos: number
}

/** What each party can add to a new appeal. */
export const EVIDENCE_LIMITS: EvidenceRoom = { pictures: 5, videos: 1 }

/** Returns what a party can still add to an appeal. */
export function evidenceRoom(appeal: Pick<Appeal, 'evidence'>, party: Order['role']): EvidenceRoom {
  const own = appeal.evidence.filter((one) => one.by === party)
  const videos = own.filter((one) => one.file.kind === 'VIDEO').length
  return {
    pictures: Math.max(0, EVIDENCE_LIMITS.pictures - (own.length - videos)),
    videos: Math.max(0, EVIDENCE_LIMITS.videos - videos),
  }
}

export interface EvidenceUploads {
  pictures: Uploads
  videos: Uploads
}

export function useEvidence({ pictures, videos }: EvidenceRoom): EvidenceUploads {
  return { pictures: useUploads(pictures), videos: useUploads(videos) }
}

export const isBusy = ({ pictures, videos }: EvidenceUploads) => pictures.busy || videos.busy
export const isEmpty = ({ pictures, videos }: EvidenceUploads) =>
  pictures.ids.length === 0 && videos.ids.length === 0
export const hasFailed = ({ pictures, videos }: EvidenceUploads) => pictures.failed || videos.failed

/** The pictures and the video that a party adds to an appeal. A kind of which no more can be added is left out. */
export function EvidenceFields({
  evidence,
  room,
  tried,
  optional = false,
}: {
  evidence: EvidenceUploads
  room: EvidenceRoom
  tried: boolean
  /** Whether the party has added evidence before. */
  optional?: boolean
}) {
  const { t } = useLingui()
  const failed = t`Remove the files that weren’t uploaded, or try again.`
  // The party may have added evidence on another device meanwhile.
  const offersPictures = room.pictures > 0 || evidence.pictures.items.length > 0
  const offersVideos = room.videos > 0 || evidence.videos.items.length > 0
  const missing =
    optional || !isEmpty(evidence)
      ? ''
      : !offersVideos
        ? t`Add at least one picture.`
        : !offersPictures
          ? t`Add a video.`
          : t`Add at least one picture or video.`
  const problem = (uploads: Uploads, otherwise: string) => (!tried ? '' : uploads.failed ? failed : otherwise)
  return (
    <>
      {offersPictures ? (
        <FileField
          label={t`Pictures`}
          hint={t`Such as bank statements or messages. The other party sees them, too.`}
          error={problem(evidence.pictures, missing)}
          uploads={evidence.pictures}
          most={room.pictures}
        />
      ) : null}
      {offersVideos ? (
        <FileField
          label={t`Video`}
          hint={t`Such as a recording of your bank’s app. At most 50 MB.`}
          error={problem(evidence.videos, offersPictures ? '' : missing)}
          uploads={evidence.videos}
          kinds="video"
          most={room.videos}
        />
      ) : null}
    </>
  )
}
