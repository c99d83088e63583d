import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { Appeal, Order } from '@/api/types'
import { Button } from '@/ui/Button'
import { Gap } from '@/ui/Gap'
import { Sheet } from '@/ui/Sheet'
import { EvidenceFields, type EvidenceRoom, evidenceRoom, useEvidence } from './EvidenceFields'
import { useAddEvidence } from './useAddEvidence'

interface SheetProps {
  order: Order
  appeal: Appeal
  open: boolean
  onClose: () => void
}

/** Adds pictures and videos to an open appeal. */
export function AddEvidenceSheet({ order, appeal, open, onClose }: SheetProps) {
  const { t } = useLingui()
  const [tried, setTried] = useState(false)
  const room = evidenceRoom(appeal, order.role)
  const evidence = useEvidence(room)
  const add = useAddEvidence(order, evidence, onClose)
  const submit = () => {
    setTried(true)
    add.submit(appeal)
  }
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t`Add evidence`}
      footer={
        <Button size="large" wide busy={add.busy} onClick={submit}>
          <Trans>Add evidence</Trans>
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="leading-relaxed">
          <Trans>Evidence can’t be removed later.</Trans>
          <Gap />
          <Room room={room} />
        </p>
        <EvidenceFields evidence={evidence} room={room} tried={tried} />
      </div>
    </Sheet>
  )
}

/** Says how many files the party can still add. */
function Room({ room: { pictures, videos } }: { room: EvidenceRoom }) {
  if (videos === 0)
    return (
      <Plural
        value={pictures}
        one="You can add # more picture to this appeal."
        other="You can add # more pictures to this appeal."
      />
    )
  if (pictures === 0) return <Trans>You can add 1 video to this appeal.</Trans>
  return (
    <Plural
      value={pictures}
      one="You can add # more picture and 1 video to this appeal."
      other="You can add # more pictures and 1 video to this appeal."
    />
  )
}
