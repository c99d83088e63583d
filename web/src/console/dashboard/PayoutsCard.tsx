import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { useFormats } from '@/i18n/format'
import { Age } from '../appeals/Age'
import { useLabels } from '../labels'
import { ConsoleLink } from '../routing'
import type { Dashboard } from '../types'
import { FigureCard } from './Figures'
import { fromUnits } from './units'

const PAYOUTS = '/console/payouts'

interface Item {
  key: string
  what: string
  because: string
  since: string | null
  to: string
  link: string
}

/** What keeps payouts from being paid: each with its reason, its age and a link. */
export function PayoutsCard({ payouts, aside }: { payouts: Dashboard['payouts']; aside: ReactNode }) {
  const { t } = useLingui()
  const { amount } = useFormats()
  const { purpose } = useLabels()
  const { stops, failing, failingTotal, vaults, vaultsTotal } = payouts
  const items: Item[] = [
    ...stops.map(({ asset, because, since }) => ({
      key: `stop ${asset}`,
      what: t`All payouts of ${asset} are stopped`,
      because,
      since,
      to: PAYOUTS,
      link: t`Open payouts`,
    })),
    ...failing.map((leg) => ({
      key: `leg ${leg.reference}`,
      what: `${purpose(leg.purpose)}: ${amount(fromUnits(leg.amount, leg.decimals), leg.decimals)} ${leg.asset}`,
      because:
        leg.failures === 0
          ? t`Its partner was voided, so it must be voided, too.`
          : t`Payout ${leg.reference} has failed ${leg.failures} times.`,
      since: leg.since,
      to: PAYOUTS,
      link: t`Open payouts`,
    })),
    ...vaults.map((vault) => ({
      key: `vault ${vault.userId} ${vault.asset} ${vault.cause}`,
      what:
        vault.cause === 'debt'
          ? t`Payouts of ${vault.asset} from one vault are stopped: its owner owes coins`
          : t`Payouts of ${vault.asset} from one vault are stopped: the ledger is behind the chain`,
      because: vault.because,
      since: vault.since,
      to: `/console/users/${vault.userId}`,
      link: t`Open the user`,
    })),
  ]
  const more = failingTotal - failing.length + vaultsTotal - vaults.length
  return (
    <FigureCard title={<Trans>Stopped and failing payouts</Trans>} aside={aside} className="lg:col-span-2">
      {items.length === 0 ? (
        <p className="flex items-center gap-2 text-brand">
          <CircleCheck size={18} className="shrink-0" aria-hidden="true" />
          <Trans>No payouts are stopped or failing.</Trans>
        </p>
      ) : (
        <ul aria-label={t`Stopped and failing payouts`}>
          {items.map((item) => (
            <li
              key={item.key}
              className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-line border-t py-3 first:border-t-0"
            >
              <div className="min-w-0 flex-1 basis-80">
                <p className="font-semibold">{item.what}</p>
                <p className="text-sm [overflow-wrap:anywhere]">{item.because}</p>
              </div>
              <p className="flex flex-wrap items-baseline gap-x-4 text-sm">
                {item.since === null ? null : (
                  <span className="text-muted">
                    <Trans>
                      for <Age since={item.since} />
                    </Trans>
                  </span>
                )}
                <ConsoleLink to={item.to}>{item.link}</ConsoleLink>
              </p>
            </li>
          ))}
        </ul>
      )}
      {more === 0 ? null : (
        <p className="border-line border-t pt-3 text-sm">
          <ConsoleLink to={PAYOUTS}>
            <Plural value={more} one="# more in Payouts" other="# more in Payouts" />
          </ConsoleLink>
        </p>
      )}
    </FigureCard>
  )
}
