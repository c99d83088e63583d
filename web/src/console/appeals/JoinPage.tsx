import { Trans, useLingui } from '@lingui/react/macro'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { ArrowLeft, Eye } from 'lucide-react'
import { read } from '@/api/createApi'
import { tradedText } from '@/api/nftName'
import { QueryError } from '@/command/QueryError'
import { useErrorText } from '@/command/useErrorText'
import { useFormats } from '@/i18n/format'
import { Button } from '@/ui/Button'
import { Card, Line, Notice } from '@/ui/Card'
import { Problem } from '@/ui/Problem'
import { Skeleton } from '@/ui/Skeleton'
import { api, useOfficerCommand } from '../client'
import { ConsoleLink } from '../routing'
import { useShortcuts } from '../shortcuts'
import { Age } from './Age'
import { FiledBy } from './AppealsPage'
import { Assignee } from './Assignee'
import { Due } from './Due'
import { APPEALS, summaryOf } from './data'
import { ORDER_STATES, REASONS, STATUSES } from './labels'
import { Requirement } from './Requirement'
import { SignalPills } from './SignalPills'
import type { QueueRow } from './types'

/** What an officer sees of a case before joining it: what the queue says about it. */
export function JoinPage({ id, officer }: { id: string; officer: string }) {
  const loaded = useQuery(summaryOf(id))
  const row = loaded.data
  const ended = row !== undefined && row.endedAt !== null
  const join = useOfficerCommand({
    run: (_: null, headers) =>
      read(api.POST('/console/appeals/{id}/join', { params: { path: { id } }, body: {}, headers })),
    touches: [APPEALS],
    refused: () => true,
  })
  const failure = useErrorText(join.error, 'command')
  useShortcuts(row === undefined || ended ? {} : { i: () => join.send(null) })
  return (
    <div className="mx-auto flex w-full max-w-2xl flex-col gap-5 overflow-y-auto py-4">
      <ConsoleLink
        to="/console/appeals"
        className="flex min-h-11 items-center gap-2 self-start text-muted text-sm hover:text-ink"
      >
        <ArrowLeft size={17} aria-hidden="true" />
        <Trans>Appeals</Trans>
      </ConsoleLink>
      <h1 className="font-bold text-2xl tracking-tight">
        {ended ? <Trans>This appeal has ended</Trans> : <Trans>You’re not on this case</Trans>}
      </h1>
      {row === undefined ? <Waiting loaded={loaded} /> : <Summary row={row} officer={officer} />}
      {row === undefined ? null : ended ? (
        <p className="text-muted">
          <Trans>Only the officers who were on the case can read it, until seven days after its end.</Trans>
        </p>
      ) : (
        <>
          <Notice tone="info" icon={<Eye size={18} aria-hidden="true" />}>
            <Trans>
              A case contains personal data: names, accounts, messages and pictures. Your joining and
              everything you view are recorded in the audit log with your name. Join only if you work on the
              case.
            </Trans>
          </Notice>
          <Problem>{failure}</Problem>
          <Button size="large" busy={join.busy} onClick={() => join.send(null)} className="self-start">
            <Trans>Join the case</Trans>
            <kbd className="rounded-md bg-black/15 px-1.5 font-sans text-sm">I</kbd>
          </Button>
        </>
      )}
    </div>
  )
}

/** What stands in for the summary until it is loaded. No one joins a case without having seen it. */
function Waiting({ loaded }: { loaded: UseQueryResult }) {
  return loaded.isError ? (
    <QueryError error={loaded.error} retry={() => void loaded.refetch()} />
  ) : (
    <Skeleton className="h-96 w-full rounded-2xl" />
  )
}

function Summary({ row, officer }: { row: QueueRow; officer: string }) {
  const { i18n, t } = useLingui()
  const { amount, time } = useFormats()
  const { value } = row
  return (
    <Card>
      <dl>
        <Line label={t({ message: 'Order', context: 'trade' })} strong>
          {tradedText(amount, row, row.amount)} · {row.base}/{row.quote}
        </Line>
        <Line label={t`Value`}>
          {value === null ? <Trans>unknown</Trans> : `≈ ${amount(value.amount, 2)} ${value.unit}`}
        </Line>
        <Line label={t`Reason`}>{i18n._(REASONS[row.reason])}</Line>
        <Line label={t`Filed`}>
          <FiledBy row={row} /> · {time(row.filedAt)} (<Age since={row.filedAt} />)
        </Line>
        {row.dueAt === null ? null : (
          <Line label={t`Due`}>
            <Due at={row.dueAt} />
          </Line>
        )}
        <Line label={t`Status`}>
          {i18n._(STATUSES[row.status].text)}
          {row.status === 'PENDING' ? (
            <>
              {' · '}
              <Requirement requires={row.requires} />
            </>
          ) : null}
        </Line>
        <Line label={t`State of the order`}>{i18n._(ORDER_STATES[row.orderState])}</Line>
        <Line label={t`Officers`}>
          {row.officers.length === 0 ? <Trans>none</Trans> : row.officers.map((one) => one.name).join(', ')}
        </Line>
        <Line label={t`Responsible`}>
          <Assignee row={row} officer={officer} />
        </Line>
        <Line label={t`Risk`}>
          <SignalPills signals={row.signals} />
        </Line>
      </dl>
    </Card>
  )
}
