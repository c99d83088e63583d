import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { read } from '@/api/createApi'
import { QueryError } from '@/command/QueryError'
import { navigate } from '@/navigation/location'
import { Button } from '@/ui/Button'
import { SelectField, TextField } from '@/ui/Field'
import { Skeleton } from '@/ui/Skeleton'
import { EmptyState } from '@/ui/State'
import { AuditTable } from './AuditTable'
import { api } from './client'
import { useLabels } from './labels'
import { fromLocalInput } from './localTime'
import { Page } from './Page'
import { OFFICERS } from './queries'
import { hrefTo, usePlace } from './routing'

const FILTERS = ['officer', 'action', 'kind', 'from', 'until', 'show'] as const
type Filters = Record<(typeof FILTERS)[number], string>

/** What officers did and viewed, newest first. */
export function AuditPage() {
  const { t } = useLingui()
  const labels = useLabels()
  const { query } = usePlace()
  const filter = (name: keyof Filters) => query.get(name) ?? ''
  const filters: Filters = {
    officer: filter('officer'),
    action: filter('action'),
    kind: filter('kind'),
    from: filter('from'),
    until: filter('until'),
    show: filter('show'),
  }
  const officers = useQuery({
    queryKey: OFFICERS,
    queryFn: () => read(api.GET('/console/officers')),
    staleTime: 60_000,
  })
  const log = useInfiniteQuery({
    queryKey: ['audit', filters],
    queryFn: ({ pageParam }) =>
      read(api.GET('/console/audit', { params: { query: { ...queryOf(filters), ...pageParam } } })),
    initialPageParam: {},
    getNextPageParam: (page) => (page.next === null ? undefined : { before: page.next }),
  })
  const set = (name: keyof Filters, value: string) =>
    navigate(hrefTo('/console/audit', { ...filters, [name]: value }), true)
  const any = (label: string) => ({ value: '', label })
  const entries = log.data?.pages.flatMap((page) => page.entries)
  return (
    <Page
      title={<Trans>Audit log</Trans>}
      actions={
        <Button tone="plain" size="small" busy={log.isFetching} onClick={() => void log.refetch()}>
          <Trans>Refresh</Trans>
        </Button>
      }
    >
      <form className="grid grid-cols-2 gap-x-4 lg:grid-cols-3" onSubmit={(event) => event.preventDefault()}>
        <SelectField
          label={t`Officer`}
          value={filters.officer}
          onChange={(value) => set('officer', value)}
          options={[
            any(t`All officers`),
            ...(officers.data ?? []).map((officer) => ({ value: officer.id, label: officer.name })),
          ]}
        />
        <SelectField
          label={t`Action`}
          value={filters.action}
          onChange={(value) => set('action', value)}
          options={[
            any(t`All actions`),
            ...Object.entries(labels.actions).map(([value, label]) => ({ value, label })),
          ]}
        />
        <SelectField
          label={t`Subject`}
          value={filters.kind}
          onChange={(value) => set('kind', value)}
          options={[
            any(t`All subjects`),
            ...Object.entries(labels.subjects).map(([value, label]) => ({ value, label })),
          ]}
        />
        <SelectField
          label={t`Show`}
          value={filters.show}
          onChange={(value) => set('show', value)}
          options={[any(t`Everything`), { value: 'decisions', label: t`Decisions only` }]}
        />
        <TextField
          label={t`From`}
          type="datetime-local"
          value={filters.from}
          onChange={(value) => set('from', value)}
        />
        <TextField
          label={t`Until`}
          type="datetime-local"
          value={filters.until}
          onChange={(value) => set('until', value)}
        />
      </form>
      {entries === undefined ? (
        log.isError ? (
          <QueryError error={log.error} retry={() => void log.refetch()} />
        ) : (
          <Skeleton className="h-64 w-full rounded-2xl" />
        )
      ) : entries.length === 0 ? (
        <EmptyState
          icon={ScrollText}
          title={<Trans>No entries</Trans>}
          text={<Trans>Nothing was recorded for these filters.</Trans>}
        />
      ) : (
        <>
          <AuditTable label={t`Audit log`} entries={entries} />
          {log.hasNextPage ? (
            <Button tone="plain" busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
              <Trans>Show older entries</Trans>
            </Button>
          ) : null}
        </>
      )}
    </Page>
  )
}

function queryOf(filters: Filters) {
  const from = fromLocalInput(filters.from)
  const until = fromLocalInput(filters.until)
  return {
    ...(filters.officer === '' ? {} : { officer: filters.officer }),
    ...(filters.action === '' ? {} : { action: filters.action }),
    ...(filters.kind === '' ? {} : { subjectKind: filters.kind }),
    ...(from === null ? {} : { from }),
    ...(until === null ? {} : { until }),
    ...(filters.show === 'decisions' ? { decisions: true } : {}),
  }
}
