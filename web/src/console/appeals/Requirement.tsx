import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormats } from '@/i18n/format'
import { ownOfficer } from '../client'
import { InfoDialog } from '../InfoDialog'
import type { AppealRules } from '../types'
import { REQUIRES } from './labels'
import type { Requires } from './types'

/** Who can decide an appeal. A press explains why. */
export function Requirement({ requires }: { requires: Requires }) {
  const { i18n, t } = useLingui()
  const [open, setOpen] = useState(false)
  const { data: me } = useQuery(ownOfficer)
  const rules = me?.appealRules ?? null
  const officers = i18n._(REQUIRES[requires])
  const text = <Trans>Needs: {officers}</Trans>
  if (rules === null) return text
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="-my-3 min-h-11 underline decoration-dotted underline-offset-4 hover:text-ink"
      >
        {text}
      </button>
      {open ? (
        <InfoDialog title={t`Who decides an appeal`} onClose={() => setOpen(false)}>
          <Explanation requires={requires} rules={rules} />
        </InfoDialog>
      ) : null}
    </>
  )
}

function Explanation({ requires, rules }: { requires: Requires; rules: AppealRules }) {
  const { amount } = useFormats()
  const { customerService, oneOfficer, decideWithinHours } = rules
  const lower = `${amount(customerService.amount)} ${customerService.unit}`
  const upper = `${amount(oneOfficer.amount)} ${oneOfficer.unit}`
  const lines: readonly [Requires, React.ReactNode][] = [
    ['CUSTOMER_SERVICE', <Trans key="1">Up to {lower}: customer service or an appeal officer.</Trans>],
    ['APPEAL_OFFICER', <Trans key="2">Up to {upper}: an appeal officer.</Trans>],
    [
      'TWO_OFFICERS',
      <Trans key="3">
        Above {upper}, or if the value is unknown: two appeal officers. The first decision is a proposal, and
        takes effect when the second officer decides the same.
      </Trans>,
    ],
  ]
  return (
    <>
      <p>
        <Trans>It depends on the value of the order:</Trans>
      </p>
      <ul className="flex flex-col gap-2">
        {lines.map(([one, line]) => (
          <li
            key={one}
            aria-current={one === requires}
            className={`rounded-xl px-3 py-2 ${one === requires ? 'bg-brand-soft text-ink' : 'text-muted'}`}
          >
            {line}
            {one === requires ? (
              <>
                {' '}
                <b>
                  <Trans>This appeal.</Trans>
                </b>
              </>
            ) : null}
          </li>
        ))}
      </ul>
      <p className="text-muted">
        <Plural
          value={decideWithinHours}
          one="An appeal is due # hour after it was filed."
          other="An appeal is due # hours after it was filed."
        />{' '}
        <Trans>An officer can revoke any verdict until it is executed.</Trans>
      </p>
    </>
  )
}
