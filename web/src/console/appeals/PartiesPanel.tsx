import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { tradedText } from '@/api/nftName'
import { useFormats } from '@/i18n/format'
import { useIsAhead } from '@/lib/clock'
import { Pill } from '@/ui/Badge'
import { Segments } from '@/ui/Chip'
import { useLabels } from '../labels'
import { Panel } from './Fact'
import { KYC, ORDER_STATES, PARTIES } from './labels'
import type { CaseParty, Party } from './types'

/** Below this credit score, the server counts a party as a risk. */
const LOW_REPUTATION = 60

interface Row {
  label: string
  of: (party: CaseParty) => ReactNode
  /** Whether the value is a reason for caution. */
  bad?: (party: CaseParty) => boolean
}

/** The parties side by side, and their last orders. */
export function PartiesPanel({ parties }: { parties: { buyer: CaseParty; seller: CaseParty } }) {
  const { i18n, t } = useLingui()
  const rows = useRows()
  const [recent, setRecent] = useState<Party>('BUYER')
  const sides = [parties.buyer, parties.seller]
  const shown = recent === 'BUYER' ? parties.buyer : parties.seller
  return (
    <Panel title={<Trans>Parties</Trans>}>
      <table className="w-full table-fixed border-collapse">
        <thead>
          <tr className="text-left">
            <th scope="col" aria-label={t`Fact`} className="w-[34%]">
              <span className="sr-only">{t`Fact`}</span>
            </th>
            {(['BUYER', 'SELLER'] as const).map((party) => (
              <th key={party} scope="col" className="pb-1.5 font-normal align-top">
                <span className="block text-muted">{i18n._(PARTIES[party])}</span>
                <span className="block font-semibold [overflow-wrap:anywhere]">
                  {(party === 'BUYER' ? parties.buyer : parties.seller).nickname ?? '–'}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.label} className="border-line border-t">
              <th scope="row" className="py-1.5 pr-2 text-left align-top font-normal text-muted">
                {row.label}
              </th>
              {sides.map((side) => (
                <td
                  key={side.id}
                  className={`py-1.5 pr-2 align-top [overflow-wrap:anywhere] ${row.bad?.(side) === true ? 'font-semibold text-sell' : ''}`}
                >
                  {row.of(side)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <h3 className="mt-2 font-semibold">
        <Trans>Last orders</Trans>
      </h3>
      <Segments
        name="recent"
        label={t`Last orders`}
        value={recent}
        onChange={setRecent}
        options={[
          { value: 'BUYER', label: i18n._(PARTIES.BUYER) },
          { value: 'SELLER', label: i18n._(PARTIES.SELLER) },
        ]}
      />
      <RecentOrders party={shown} />
    </Panel>
  )
}

function useRows(): Row[] {
  const { i18n, t } = useLingui()
  const { count, day, percent } = useFormats()
  return [
    { label: t`Region`, of: ({ region }) => region },
    { label: t`Identity`, of: ({ kyc }) => i18n._(KYC[kyc]) },
    { label: t`Badges`, of: (party) => <Badges party={party} /> },
    { label: t`Restrictions`, of: (party) => <Restrictions party={party} /> },
    {
      label: t`Credit score`,
      of: ({ reputation }) => reputation,
      bad: ({ reputation }) => reputation < LOW_REPUTATION,
    },
    { label: t`Registered`, of: ({ joinedAt }) => day(joinedAt) },
    { label: t`Trades, 30 days`, of: ({ stats }) => count(stats.orders30d) },
    {
      label: t`Success rate`,
      of: ({ stats }) => (stats.completionRate === null ? '–' : percent(stats.completionRate)),
    },
    {
      label: t`Time to confirm`,
      of: ({ stats }) =>
        stats.averageConfirmSeconds === null ? (
          '–'
        ) : (
          <Minutes minutes={Math.max(1, Math.round(stats.averageConfirmSeconds / 60))} />
        ),
    },
    {
      label: t`Orders accepted`,
      of: ({ stats }) => (stats.acceptanceRate === null ? '–' : percent(stats.acceptanceRate)),
    },
    {
      label: t`Confirmed late`,
      of: ({ stats }) => t`${count(stats.lateConfirmations)} out of ${count(stats.confirmations)}`,
      bad: ({ stats }) => stats.lateConfirmations > 0,
    },
    { label: t`Appeals filed`, of: ({ appealsFiled }) => count(appealsFiled) },
    {
      label: t`Appeals lost`,
      of: ({ appealsLost }) => count(appealsLost),
      bad: ({ appealsLost }) => appealsLost > 0,
    },
    {
      label: t`Malicious appeals`,
      of: ({ maliciousAppeals }) => count(maliciousAppeals),
      bad: ({ maliciousAppeals }) => maliciousAppeals > 0,
    },
  ]
}

function Minutes({ minutes }: { minutes: number }) {
  return <Plural value={minutes} one="# min" other="# min" />
}

function Badges({ party }: { party: CaseParty }) {
  const { t } = useLingui()
  if (!party.certified && !party.verified) return '–'
  return (
    <span className="flex flex-wrap gap-1">
      {party.certified ? <Pill tone="good">{t`Certified`}</Pill> : null}
      {party.verified ? <Pill tone="good">{t`Verified`}</Pill> : null}
    </span>
  )
}

function Restrictions({ party }: { party: CaseParty }) {
  const { t } = useLingui()
  const labels = useLabels()
  const held = useIsAhead(party.holdUntil)
  if (party.riskFlags.length === 0 && !held) return '–'
  return (
    <span className="flex flex-wrap gap-1">
      {party.riskFlags.map((flag) => (
        <Pill key={flag} tone="danger">
          {labels.flag(flag)}
        </Pill>
      ))}
      {held ? <Pill tone="warn">{t`On hold`}</Pill> : null}
    </span>
  )
}

function RecentOrders({ party }: { party: CaseParty }) {
  const { i18n, t } = useLingui()
  const { amount, day } = useFormats()
  if (party.recentOrders.length === 0)
    return (
      <p className="text-muted">
        <Trans>No other orders.</Trans>
      </p>
    )
  return (
    <ul>
      {party.recentOrders.map((one) => (
        <li
          key={one.id}
          className="flex items-baseline justify-between gap-3 border-line border-t py-1.5 first:border-t-0"
        >
          <span className="min-w-0">
            <span className="block">
              {one.role === 'BUYER' ? t`bought` : t`sold`} {tradedText(amount, one, one.quantity)}
            </span>
            <span className="block text-muted [overflow-wrap:anywhere]">
              {one.otherNickname ?? '–'} · {day(one.createdAt)}
            </span>
          </span>
          <span className={`shrink-0 ${one.state === 'COMPLETED' ? 'text-brand' : 'text-muted'}`}>
            {i18n._(ORDER_STATES[one.state])}
            {one.appeal === null ? null : (
              <span className="block text-right text-warn">
                <Trans>appealed</Trans>
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}
