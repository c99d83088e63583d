import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { api, read } from '@/api/client'
import { keys } from '@/api/queries'
import type { Appeal, Order } from '@/api/types'
import { useCommand } from '@/command/useCommand'
import { Button } from '@/ui/Button'
import { Sheet } from '@/ui/Sheet'
import { EvidenceFields, hasFailed, isBusy, isEmpty, useEvidence } from './EvidenceFields'

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
  const evidence = useEvidence()
  const add = useCommand({
    run: (input: { version: number; pictures: readonly string[]; videos: readonly string[] }, headers) =>
      read(
        api.POST('/c2c/appeal/evidence/{id}', {
          params: { path: { id: appeal.id } },
          body: { version: input.version, pictures: [...input.pictures], videos: [...input.videos] },
          headers,
        }),
      ),
    touches: [keys.orders],
    done: onClose,
  })
  const submit = () => {
    setTried(true)
    if (isEmpty(evidence) || hasFailed(evidence)) return
    add.send({ version: order.version, pictures: evidence.pictures.ids, videos: evidence.videos.ids })
  }
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t`Add evidence`}
      footer={
        <Button size="large" wide busy={add.busy || isBusy(evidence)} onClick={submit}>
          <Trans>Add evidence</Trans>
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="leading-relaxed">
          <Trans>
            Evidence can’t be removed later. You can add up to 5 pictures and 1 video to an appeal.
          </Trans>
        </p>
        <EvidenceFields evidence={evidence} tried={tried} />
      </div>
    </Sheet>
  )
}
