import { Trans, useLingui } from '@lingui/react/macro'
import type { Order } from '@/api/types'
import { useFormats } from '@/i18n/format'
import { Card } from '@/ui/Card'
import { type Step, Timeline } from '@/ui/Steps'
import { missingDeposit } from './CoinLocation'
import { stepLabel, stepName } from './labels'

/** The step in which each party deposits. */
const DEPOSITED_IN = { SELLER: 'SELLER_DEPOSITED', BUYER: 'BUYER_PAID' } as const

/** The states in which no further step is awaited. A refund ends the order. */
const OVER = ['COMPLETED', 'REFUNDING', 'CANCELLED', 'REJECTED']

/** Returns the index of the awaited step, or -1 if there is none. */
function currentOf(order: Order): number {
  return OVER.includes(order.state) ? -1 : order.steps.findIndex((step) => !step.done)
}

/** The progress in one line, expandable to all steps with their times. */
export function OrderStep({ order }: { order: Order }) {
  const { t } = useLingui()
  const current = currentOf(order)
  const step = order.steps[current]
  if (step === undefined) return null
  const number = current + 1
  const all = order.steps.length
  return (
    <div>
      <div aria-hidden="true" className="flex gap-1">
        {order.steps.map((one, index) => (
          <span
            key={one.step}
            className={`h-1 flex-1 rounded-full ${one.done ? 'bg-brand-fill' : index === current ? 'bg-warn' : 'bg-sunken'}`}
          />
        ))}
      </div>
      <p className="mt-1.5 text-muted text-sm">
        <Trans>
          Step {number} of {all}
        </Trans>
        {' · '}
        {t(stepName(step.step, order))}
      </p>
    </div>
  )
}

/** All steps of an order, with their times, and with dates if they are of several days. */
export function OrderProgress({ order }: { order: Order }) {
  const { t } = useLingui()
  const { clock, time } = useFormats()
  const current = currentOf(order)
  const missing = missingDeposit(order)
  const days = new Set(order.steps.flatMap(({ at }) => (at === null ? [] : [new Date(at).toDateString()])))
  const when = days.size > 1 ? time : clock
  const steps: Step[] = order.steps.map((step, index) => ({
    key: step.step,
    title: t(stepLabel(step.step, order)),
    state:
      missing !== null && missing !== 'EITHER' && step.step === DEPOSITED_IN[missing]
        ? 'failed'
        : step.done
          ? 'done'
          : index === current
            ? 'current'
            : 'later',
    ...(step.at === null ? {} : { note: when(step.at) }),
  }))
  return (
    <Card>
      <Timeline steps={steps} label={t`Order progress`} />
    </Card>
  )
}
