import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, read } from '@/api/client'
import { refusedField } from '@/api/envelope'
import { keys } from '@/api/queries'
import type { Order, OrderFeedback } from '@/api/types'
import { useCommand } from '@/command/useCommand'
import { useErrorText } from '@/command/useErrorText'
import { FeedbackLine } from '@/components/FeedbackLine'
import { Button } from '@/ui/Button'
import { Card, CardTitle } from '@/ui/Card'
import { TextField } from '@/ui/Field'
import { RadioCards } from '@/ui/RadioCards'
import { toast } from '@/ui/toast'

/** In characters. */
const LONGEST = 100

/** What the parties say about each other after a completed order. */
export default function FeedbackCard({ order }: { order: Order }) {
  const feedback = useQuery({
    queryKey: [...keys.orders, order.id, 'feedback'],
    queryFn: () => read(api.GET('/c2c/deal/order/feedback/{id}', { params: { path: { id: order.id } } })),
  }).data
  if (feedback === undefined) return null
  const { own, other, possible } = feedback
  if (own === null && other === null && !possible) return null
  return (
    <Card>
      <CardTitle>
        <Trans>Feedback</Trans>
      </CardTitle>
      {possible ? <FeedbackForm order={order} /> : null}
      {own === null ? null : <FeedbackLine by={<Trans>You</Trans>} feedback={own} />}
      {other === null ? null : <FeedbackLine by={order.counterparty.nickname} feedback={other} />}
    </Card>
  )
}

function FeedbackForm({ order }: { order: Order }) {
  const { t } = useLingui()
  const [mark, setMark] = useState<'good' | 'bad' | null>(null)
  const [line, setLine] = useState('')
  const [tried, setTried] = useState(false)
  const save = useCommand({
    run: (input: { positive: boolean; line: string }, headers): Promise<OrderFeedback> =>
      read(
        api.POST('/c2c/deal/order/feedback/{id}', {
          params: { path: { id: order.id } },
          body: input,
          headers,
        }),
      ),
    touches: [keys.orders, keys.traders],
    done: () => toast(t`Thanks for your feedback`),
    refused: (error) => refusedField(error) === 'line',
  })
  const said = useErrorText(refusedField(save.error) === 'line' ? save.error : null, 'command')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (mark !== null) save.send({ positive: mark === 'good', line: line.trim() })
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-1">
      <RadioCards
        name="mark"
        legend={<Trans>How was trading with {order.counterparty.nickname}?</Trans>}
        value={mark}
        onChange={setMark}
        options={[
          { value: 'good', title: <Trans>Positive</Trans> },
          { value: 'bad', title: <Trans>Negative</Trans> },
        ]}
        error={tried && mark === null ? t`Choose one.` : ''}
      />
      <div className="h-2" />
      <TextField
        label={t`In one line (optional)`}
        value={line}
        maxLength={LONGEST}
        onChange={(typed) => {
          setLine(typed)
          save.clear()
        }}
        error={said}
        hint={t`Everyone can read it, and you can’t change it later. Don’t include contact details.`}
      />
      <Button type="submit" tone="plain" wide busy={save.busy}>
        <Trans>Leave feedback</Trans>
      </Button>
    </form>
  )
}
