import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { isUnreachable } from '@/api/envelope'
import { useErrorText } from '@/command/useErrorText'
import { useFormats } from '@/i18n/format'
import { Button } from '@/ui/Button'
import { Line, Notice } from '@/ui/Card'
import { useSpan } from '../appeals/Age'
import { Due } from '../appeals/Due'
import { ORDER_STATES } from '../appeals/labels'
import { Loaded, Page } from '../Page'
import type { Dashboard } from '../types'
import { EscrowCard } from './EscrowCard'
import { AsOf, FigureCard, FigureTable } from './Figures'
import { PayoutsCard } from './PayoutsCard'
import { dashboard, staleAt } from './query'
import { fromUnits } from './units'

/** The server counts appeals and the orders of a state up to these. */
const MOST_APPEALS = 1_000
const MOST_ORDERS = 10_000

/** What the platform does now. It refreshes itself. */
export function DashboardPage() {
  const figures = useQuery(dashboard)
  const failure = useErrorText(figures.data === undefined ? null : figures.error)
  return (
    <Page
      title={<Trans>Dashboard</Trans>}
      actions={
        <Button tone="plain" size="small" busy={figures.isFetching} onClick={() => void figures.refetch()}>
          <Trans>Refresh</Trans>
        </Button>
      }
    >
      {/* The console itself says that the server cannot be reached. */}
      {failure === '' || isUnreachable(figures.error) ? null : (
        <div role="status">
          <Notice tone="warn">
            <Trans>These figures could not be refreshed.</Trans> {failure}
          </Notice>
        </div>
      )}
      <Loaded query={figures}>{(loaded) => <Cards figures={loaded} />}</Loaded>
    </Page>
  )
}

function Cards({ figures }: { figures: Dashboard }) {
  const asOf = <AsOf at={figures.at} staleAt={staleAt(figures.at)} />
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <PayoutsCard payouts={figures.payouts} aside={asOf} />
      <EscrowCard escrow={figures.escrow} />
      <FigureCard title={<Trans>Completed orders</Trans>} aside={asOf}>
        <Volumes volumes={figures.volumes} />
      </FigureCard>
      <FigureCard title={<Trans>Appeals</Trans>} aside={asOf}>
        <Appeals figures={figures} />
      </FigureCard>
      <FigureCard title={<Trans>Open orders</Trans>} aside={asOf}>
        <OpenOrders orders={figures.openOrders} />
      </FigureCard>
      <FigureCard title={<Trans>Time to verdict</Trans>} aside={asOf}>
        <Verdicts week={figures.decisionsWeek} month={figures.decisionsMonth} />
      </FigureCard>
    </div>
  )
}

function Volumes({ volumes }: { volumes: Dashboard['volumes'] }) {
  const { t } = useLingui()
  const { amount } = useFormats()
  if (volumes.length === 0)
    return (
      <p className="text-muted">
        <Trans>No order was completed in the last 7 days.</Trans>
      </p>
    )
  const cell = ({ orders, quantity }: Dashboard['volumes'][number]['day'], decimals: number) => {
    const exact = fromUnits(quantity, decimals)
    return (
      <>
        <span className="block font-semibold" title={exact}>
          {amount(exact, 2)}
        </span>
        <span className="block text-muted text-sm">
          <Plural value={orders} one="# order" other="# orders" />
        </span>
      </>
    )
  }
  return (
    <FigureTable
      label={t`Completed orders`}
      corner={t`Coin`}
      columns={[t`24 hours`, t`7 days`]}
      rows={volumes.map(({ asset, decimals, day, week }) => ({
        name: asset,
        cells: [cell(day, decimals), cell(week, decimals)],
      }))}
    />
  )
}

function Appeals({ figures: { appeals } }: { figures: Dashboard }) {
  const { t } = useLingui()
  const { count } = useFormats()
  const upTo = (many: number) => (many >= MOST_APPEALS ? t`${count(MOST_APPEALS)} or more` : count(many))
  return (
    <dl>
      <Line label={<Trans>Without a verdict</Trans>} strong>
        {upTo(appeals.waiting)}
      </Line>
      <Line label={<Trans>Overdue</Trans>} strong>
        <span className={appeals.overdue > 0 ? 'text-sell' : ''}>{upTo(appeals.overdue)}</span>
      </Line>
      <Line label={<Trans>The oldest one</Trans>}>
        {appeals.oldestDueAt === null ? '–' : <Due at={appeals.oldestDueAt} />}
      </Line>
    </dl>
  )
}

function OpenOrders({ orders }: { orders: Dashboard['openOrders'] }) {
  const { i18n, t } = useLingui()
  const { count } = useFormats()
  return (
    <dl>
      {orders.map(({ state, orders: many }) => (
        <Line key={state} label={i18n._(ORDER_STATES[state])}>
          <span className="font-semibold tabular-nums">
            {many >= MOST_ORDERS ? t`${count(MOST_ORDERS)} or more` : count(many)}
          </span>
        </Line>
      ))}
    </dl>
  )
}

const EPOCH = new Date(0).toISOString()

function Verdicts({ week, month }: { week: Dashboard['decisionsWeek']; month: Dashboard['decisionsMonth'] }) {
  const { t } = useLingui()
  const { count } = useFormats()
  const span = useSpan()
  const time = (seconds: number | null) => (seconds === null ? '–' : span(EPOCH, seconds * 1_000))
  return (
    <FigureTable
      label={t`Time to verdict`}
      corner={t({ message: 'Figure', context: 'statistics' })}
      columns={[t`7 days`, t`30 days`]}
      rows={[
        { name: t`Median`, cells: [time(week.median), time(month.median)] },
        { name: t`90th percentile`, cells: [time(week.ninetieth), time(month.ninetieth)] },
        { name: t`Decided appeals`, cells: [count(week.decided), count(month.decided)] },
      ]}
    />
  )
}
