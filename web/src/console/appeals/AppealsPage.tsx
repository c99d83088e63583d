import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { tradedText } from '@/api/nftName'
import { useFormats } from '@/i18n/format'
import { navigate } from '@/navigation/location'
import { Pill } from '@/ui/Badge'
import { Button, buttonClass } from '@/ui/Button'
import { Segments } from '@/ui/Chip'
import { Countdown } from '@/ui/Countdown'
import { EmptyState } from '@/ui/State'
import { Count } from '../Count'
import { DataTable } from '../DataTable'
import { Loaded, Page } from '../Page'
import { ConsoleLink, hrefTo, usePlace } from '../routing'
import { SearchField } from '../SearchField'
import { useShortcuts } from '../shortcuts'
import { waiting } from '../waiting'
import { Age } from './Age'
import { Due } from './Due'
import { foundBy, PAGE, queue } from './data'
import { ORDERS, PARTIES, REASONS, REQUIRES, RULINGS, STATUSES, VIEWS } from './labels'
import { SignalPills } from './SignalPills'
import type { QueueOrder, QueueRow, QueueView } from './types'

const PATH = '/console/appeals'
const ALL_VIEWS = ['OPEN', 'MINE', 'DECIDED', 'ENDED'] as const
const ALL_ORDERS = ['AGE', 'AMOUNT', 'RISK'] as const

const COUNTED = { OPEN: 'open', MINE: 'mine', DECIDED: 'decided' } as const

function oneOf<T extends string>(all: readonly [T, ...T[]], text: string | null): T {
  const asked = text?.toUpperCase()
  return all.find((one) => one === asked) ?? all[0]
}

function hrefOf(view: QueueView, order: QueueOrder, page: number): string {
  return hrefTo(PATH, {
    view: view === 'OPEN' ? '' : view.toLowerCase(),
    order: order === 'AGE' ? '' : order.toLowerCase(),
    page: page === 1 ? '' : String(page),
  })
}

/** The queue of appeals. It shows no personal data. */
export function AppealsPage({ officer }: { officer: string }) {
  const { t } = useLingui()
  const { query } = usePlace()
  const asked = query.get('query') ?? ''
  return (
    <>
      <SearchField
        key={asked}
        label={t`Find a case`}
        hint={t`The ID of an order, ad or appeal, a transaction hash, an ME ID, or a part of a nickname. Press / to search.`}
        asked={asked}
        search={(text) => navigate(hrefTo(PATH, { query: text }))}
      />
      {asked === '' ? <QueuePage officer={officer} /> : <Found asked={asked} officer={officer} />}
    </>
  )
}

/** The cases that a search has found. It shows no personal data. */
function Found({ asked, officer }: { asked: string; officer: string }) {
  const found = useQuery(foundBy(asked))
  return (
    <Page
      title={<Trans>Found cases</Trans>}
      actions={
        <ConsoleLink to={PATH} className={buttonClass('plain', 'small', false)}>
          <Trans>All appeals</Trans>
        </ConsoleLink>
      }
    >
      <Loaded query={found}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState
              title={<Trans>No case found</Trans>}
              text={
                <Trans>
                  Check the spelling. Only orders with an appeal are found, and a part of a nickname has at
                  least two characters.
                </Trans>
              }
            />
          ) : (
            <Queue rows={rows} officer={officer} />
          )
        }
      </Loaded>
    </Page>
  )
}

function QueuePage({ officer }: { officer: string }) {
  const { i18n, t } = useLingui()
  const { query } = usePlace()
  const view = oneOf(ALL_VIEWS, query.get('view'))
  const order = oneOf(ALL_ORDERS, query.get('order'))
  const page = Math.max(1, Number.parseInt(query.get('page') ?? '1', 10) || 1)
  const rows = useQuery(queue(view, order, page))
  const show = (nextView: QueueView, nextOrder: QueueOrder) => navigate(hrefOf(nextView, nextOrder, 1), true)
  useShortcuts({
    ...Object.fromEntries(ALL_VIEWS.map((one, index) => [String(index + 1), () => show(one, order)])),
    s: () => show(view, ALL_ORDERS[(ALL_ORDERS.indexOf(order) + 1) % ALL_ORDERS.length] ?? 'AGE'),
    r: () => void rows.refetch(),
  })
  return (
    <Page
      title={<Trans>Appeals</Trans>}
      actions={
        <Button
          tone="plain"
          size="small"
          busy={rows.isFetching && !rows.isPending}
          onClick={() => void rows.refetch()}
        >
          <Trans>Refresh</Trans>
        </Button>
      }
    >
      <div className="flex items-center justify-between gap-4">
        <div className="w-[31rem]">
          <Segments
            name="view"
            label={t`Show`}
            value={view}
            onChange={(next) => show(next, order)}
            options={ALL_VIEWS.map((value) => ({ value, label: <ViewLabel view={value} /> }))}
          />
        </div>
        <label className="flex items-center gap-3 text-sm">
          <span className="text-muted">
            <Trans>Order</Trans>
          </span>
          <select
            value={order}
            onChange={(event) => show(view, oneOf(ALL_ORDERS, event.target.value))}
            className="select-chevron min-h-11 appearance-none rounded-xl border border-line bg-surface pr-10 pl-4 text-sm"
          >
            {ALL_ORDERS.map((one) => (
              <option key={one} value={one} className="bg-surface">
                {i18n._(ORDERS[one])}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Loaded query={rows}>
        {({ records, total }) =>
          records.length === 0 ? (
            <Empty view={view} />
          ) : (
            <>
              <Queue rows={records} officer={officer} />
              <Paging total={total} page={page} to={(next) => hrefOf(view, order, next)} />
            </>
          )
        }
      </Loaded>
    </Page>
  )
}

/** The name of a view and the number of appeals that wait in it. */
function ViewLabel({ view }: { view: QueueView }) {
  const { i18n } = useLingui()
  const { data } = useQuery(waiting)
  const counts = data?.appeals ?? null
  const count = counts === null || view === 'ENDED' ? 0 : counts[COUNTED[view]]
  return (
    <>
      {i18n._(VIEWS[view])}
      {count === 0 ? null : <Count of={count} />}
    </>
  )
}

function Empty({ view }: { view: QueueView }) {
  if (view === 'OPEN')
    return (
      <EmptyState
        icon={CircleCheck}
        title={<Trans>No open appeals</Trans>}
        text={<Trans>New appeals appear here automatically.</Trans>}
      />
    )
  if (view === 'MINE')
    return (
      <EmptyState
        title={<Trans>You’re on no case</Trans>}
        text={<Trans>Open an appeal and join it. It then appears here until it ends.</Trans>}
      />
    )
  return view === 'DECIDED' ? (
    <EmptyState
      title={<Trans>No verdict is waiting</Trans>}
      text={<Trans>Verdicts appear here until they are executed.</Trans>}
    />
  ) : (
    <EmptyState
      title={<Trans>No appeal has ended yet</Trans>}
      text={<Trans>Withdrawn, rejected and executed appeals appear here.</Trans>}
    />
  )
}

function Queue({ rows, officer }: { rows: readonly QueueRow[]; officer: string }) {
  const { i18n, t } = useLingui()
  return (
    <DataTable
      dense
      label={t`Appeals`}
      rows={rows}
      rowKey={(row) => row.id}
      onOpen={(row) => navigate(`${PATH}/${row.id}`)}
      columns={[
        {
          title: t`Age`,
          cell: (row) => (
            <div className="flex max-w-28 flex-col">
              <Age since={row.filedAt} className="font-semibold" />
              {row.dueAt === null ? null : <Due at={row.dueAt} />}
            </div>
          ),
        },
        { title: t({ message: 'Order', context: 'trade' }), cell: (row) => <Amount row={row} /> },
        {
          title: t`Reason`,
          cell: (row) => (
            <div className="flex min-w-36 max-w-60 flex-col">
              <span className="font-medium">{i18n._(REASONS[row.reason])}</span>
              <span className="text-muted">
                <FiledBy row={row} />
              </span>
            </div>
          ),
        },
        { title: t`Risk`, cell: (row) => <SignalPills signals={row.signals} /> },
        { title: t`Status`, cell: (row) => <StatusCell row={row} /> },
        { title: t`Officers`, cell: (row) => <Officers row={row} officer={officer} /> },
      ]}
    />
  )
}

function Amount({ row }: { row: QueueRow }) {
  const { amount } = useFormats()
  const { value } = row
  return (
    <div className="flex flex-col whitespace-nowrap">
      <span className="font-semibold">{tradedText(amount, row, row.amount)}</span>
      <span className="text-muted">
        {row.base}/{row.quote} ·{' '}
        {value === null ? <Trans>value unknown</Trans> : `${amount(value.amount, 2)} ${value.unit}`}
      </span>
    </div>
  )
}

/** Who filed an appeal. */
export function FiledBy({ row }: { row: Pick<QueueRow, 'filedBy'> }) {
  const { i18n } = useLingui()
  if (row.filedBy === 'PLATFORM') return <Trans>Filed by MEC2C</Trans>
  const party = i18n._(PARTIES[row.filedBy])
  return <Trans>Filed by: {party}</Trans>
}

function StatusCell({ row }: { row: QueueRow }) {
  const { i18n } = useLingui()
  const { text, tone } = STATUSES[row.status]
  const { proposal } = row
  return (
    <div className="flex flex-col items-start gap-1">
      <span className="whitespace-nowrap">
        <Pill tone={tone}>{i18n._(text)}</Pill>
      </span>
      {row.status === 'PENDING' ? (
        <span className="whitespace-nowrap text-muted">{i18n._(REQUIRES[row.requires])}</span>
      ) : null}
      {row.evidenceDueAt === null ? null : (
        <span className="flex flex-col">
          <Trans>Evidence requested</Trans>
          <Due at={row.evidenceDueAt} />
        </span>
      )}
      {proposal === null ? null : (
        <span className="text-info">
          <Proposal proposal={proposal} />
        </span>
      )}
      {row.status === 'DECIDED' && row.executesAt !== null ? (
        <span className="whitespace-nowrap text-muted">
          <Trans>
            executes in <Countdown deadline={row.executesAt} />
          </Trans>
        </span>
      ) : null}
    </div>
  )
}

function Proposal({ proposal }: { proposal: NonNullable<QueueRow['proposal']> }) {
  const { i18n } = useLingui()
  const { officer } = proposal
  const ruling = i18n._(RULINGS[proposal.ruling])
  return (
    <Trans>
      {officer} proposes: {ruling}
    </Trans>
  )
}

function Officers({ row, officer }: { row: QueueRow; officer: string }) {
  const { assignee } = row
  // Who is responsible comes first, also before joining the case.
  const others = row.officers.filter((one) => one.id !== assignee?.id)
  const all = assignee === null ? others : [assignee, ...others]
  if (all.length === 0)
    return (
      <span className="text-muted">
        <Trans>none</Trans>
      </span>
    )
  return (
    <span className="flex flex-col">
      {all.map((one) => (
        <span key={one.id} className={one.id === officer ? 'font-semibold text-brand' : ''}>
          {one.id === officer ? <Trans>you</Trans> : one.name}
          {one.id === assignee?.id ? (
            <span className="block font-normal text-muted">
              <Trans>responsible</Trans>
            </span>
          ) : null}
        </span>
      ))}
    </span>
  )
}

function Paging({ total, page, to }: { total: number; page: number; to: (page: number) => string }) {
  const pages = Math.max(1, Math.ceil(total / PAGE))
  return (
    <div className="flex items-center justify-between gap-4 text-muted text-sm">
      <span>
        <Plural value={total} one="# appeal" other="# appeals" />
      </span>
      {pages === 1 ? null : (
        <span className="flex items-center gap-3">
          <Button tone="plain" size="small" disabled={page <= 1} onClick={() => navigate(to(page - 1))}>
            <Trans>Previous</Trans>
          </Button>
          <Trans>
            Page {page} of {pages}
          </Trans>
          <Button tone="plain" size="small" disabled={page >= pages} onClick={() => navigate(to(page + 1))}>
            <Trans>Next</Trans>
          </Button>
        </span>
      )}
    </div>
  )
}
