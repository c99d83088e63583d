import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { api, read } from '@/api/client'
import { keys } from '@/api/queries'
import type { AppealReason, AvailableAction, Order } from '@/api/types'
import { useCommand } from '@/command/useCommand'
import { Button } from '@/ui/Button'
import { Card, Notice } from '@/ui/Card'
import { TextArea } from '@/ui/Field'
import { Gap } from '@/ui/Gap'
import { RadioCards } from '@/ui/RadioCards'
import { toast } from '@/ui/toast'
import {
  EVIDENCE_LIMITS,
  EvidenceFields,
  evidenceRoom,
  hasFailed,
  isBusy,
  isEmpty,
  useEvidence,
} from './EvidenceFields'
import { UnfiledAppeal } from './UnfiledAppeal'
import { useReasonNames } from './useReasonNames'

const MAX_DESCRIPTION = 500

interface Filing {
  orderId: string
  version: number
  reason: AppealReason
  specificReason?: string
  pictures: string[]
  videos: string[]
}

/**
 * Files an appeal, after saying what it does and what losing it costs. If it can no longer be filed, what the user has entered
 * stays.
 */
export function AppealForm({
  order,
  action,
  onFiled,
}: {
  order: Order
  action: AvailableAction | undefined
  /** Called with the ID of the appeal. */
  onFiled: (appeal: string) => void
}) {
  const { t } = useLingui()
  const nameOf = useReasonNames()
  // Filing a withdrawn appeal again continues it, with the evidence that it had.
  const earlier = order.appeal?.status === 'WITHDRAWN' ? order.appeal : null
  const own = earlier !== null && earlier.filedBy === order.role ? earlier : null
  const [reason, setReason] = useState<AppealReason | null>(() =>
    own !== null && order.appealReasons.includes(own.reason) ? own.reason : null,
  )
  const [description, setDescription] = useState(own?.specificReason ?? '')
  const [tried, setTried] = useState(false)
  const hasEvidence = earlier?.evidence.some((one) => one.by === order.role) === true
  const room = earlier === null ? EVIDENCE_LIMITS : evidenceRoom(earlier, order.role)
  const evidence = useEvidence(room)
  const file = useCommand({
    run: (input: Filing, headers) => read(api.POST('/c2c/appeal', { body: input, headers })),
    touches: [keys.orders],
    done: (filed) => {
      toast(t`Appeal submitted.`)
      if (filed.appeal !== null) onFiled(filed.appeal.id)
    },
  })
  const text = description.trim()
  const needsText = reason === 'OTHER' && text === ''
  const submit = () => {
    setTried(true)
    if (reason === null || needsText || hasFailed(evidence)) return
    if (isEmpty(evidence) && !hasEvidence) return
    file.send({
      orderId: order.id,
      version: order.version,
      reason,
      ...(text === '' ? {} : { specificReason: text }),
      pictures: [...evidence.pictures.ids],
      videos: [...evidence.videos.ids],
    })
  }
  if (action === undefined) {
    const touched = text !== '' || evidence.pictures.items.length > 0 || evidence.videos.items.length > 0
    // An appeal that was sent from here is the one that the order has now.
    const sent = file.pending !== undefined && order.appeal?.filedBy === order.role
    return !touched || sent ? null : (
      <UnfiledAppeal
        order={order}
        text={text}
        evidence={evidence}
        onDiscard={() => {
          setReason(null)
          setDescription('')
          setTried(false)
          evidence.pictures.clear()
          evidence.videos.clear()
        }}
      />
    )
  }
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Card className="flex flex-col gap-4">
        <RadioCards
          name="reason"
          legend={t`Why do you appeal?`}
          value={reason}
          options={order.appealReasons.map((one) => ({ value: one, title: nameOf(one) }))}
          onChange={setReason}
          error={tried && reason === null ? t`Choose a reason.` : ''}
        />
        <TextArea
          label={reason === 'OTHER' ? t`Description` : t`Description (optional)`}
          value={description}
          maxLength={MAX_DESCRIPTION}
          rows={4}
          onChange={setDescription}
          error={tried && needsText ? t`Describe what happened.` : ''}
          hint={t`What happened, when, and what you have tried.`}
        />
        <EvidenceFields evidence={evidence} room={room} tried={tried} optional={hasEvidence} />
      </Card>
      <Notice tone="warn">
        <ul className="flex list-disc flex-col gap-1 pl-4">
          <li>
            <Trans>The order is locked, and its timer stops until the appeal ends.</Trans>
          </li>
          <li>
            <Trans>An officer decides from the evidence and the chat.</Trans>
          </li>
          <li>
            <Plural
              value={action.reputationCost}
              _0="Losing it costs you no more credit."
              one="If you lose, you’ll lose # credit point."
              other="If you lose, you’ll lose # credit points."
            />
            <Gap />
            <Trans>A malicious appeal costs all your credit.</Trans>
          </li>
        </ul>
      </Notice>
      <Button type="submit" size="large" wide tone="strong" busy={file.busy || isBusy(evidence)}>
        <Trans>Submit appeal</Trans>
      </Button>
    </form>
  )
}
