import { useLingui } from '@lingui/react/macro'
import { useEffect, useEffectEvent } from 'react'
import type { UploadedFile } from '@/api/types'
import { FileField } from '@/components/files/FileField'
import { useUploads } from '@/components/files/useUploads'

export interface PictureState {
  /** The id of the uploaded picture; empty without one. */
  id: string
  busy: boolean
  failed: boolean
}

/** A field of a payment method for one picture, such as a QR code. */
export function PictureField({
  label,
  known,
  onChange,
  missing,
  tried,
}: {
  label: string
  /** The picture that the method has. */
  known: UploadedFile | null
  onChange: (state: PictureState) => void
  /** The error if a required picture is missing; otherwise empty. */
  missing: string
  /** Whether the user has tried to save. */
  tried: boolean
}) {
  const { t } = useLingui()
  const uploads = useUploads(1, known === null ? [] : [known])
  const { busy, failed } = uploads
  const id = uploads.ids[0] ?? ''
  const changed = useEffectEvent(onChange)
  useEffect(() => changed({ id, busy, failed }), [id, busy, failed])
  return (
    <FileField
      label={label}
      hint={t`Buyers in an active order can scan it to pay you.`}
      error={tried && failed ? t`Remove the picture that wasn’t uploaded, or try again.` : missing}
      uploads={uploads}
      most={1}
    />
  )
}
