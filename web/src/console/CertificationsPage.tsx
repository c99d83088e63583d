import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Award } from 'lucide-react'
import { useState } from 'react'
import { read } from '@/api/createApi'
import { QueryError } from '@/command/QueryError'
import { useFormats } from '@/i18n/format'
import { Button } from '@/ui/Button'
import { Skeleton } from '@/ui/Skeleton'
import { EmptyState } from '@/ui/State'
import { CertificationDialog, Checks } from './CertificationDialog'
import { api } from './client'
import { DataTable } from './DataTable'
import { Page } from './Page'
import { CERTIFICATIONS } from './queries'
import type { PendingCertification } from './types'
import { UserName } from './UserPills'

const PAGE = 20

/** Applications for certification that wait for an officer, oldest first. */
export function CertificationsPage() {
  const { t } = useLingui()
  const { count, percent, time } = useFormats()
  const [open, setOpen] = useState<PendingCertification | null>(null)
  const list = useInfiniteQuery({
    queryKey: CERTIFICATIONS,
    queryFn: ({ pageParam }) => read(api.GET('/ops/certifications', { params: { query: pageParam } })),
    initialPageParam: {},
    getNextPageParam: (page) => {
      const last = page.at(-1)
      return page.length < PAGE || last === undefined
        ? undefined
        : { after: last.appliedAt, afterId: last.id }
    },
  })
  const pending = list.data?.pages.flat()
  const current = pending?.find(({ id }) => id === open?.id)
  return (
    <Page title={<Trans>Applications for certification</Trans>}>
      {pending === undefined ? (
        list.isError ? (
          <QueryError error={list.error} retry={() => void list.refetch()} />
        ) : (
          <Skeleton className="h-64 w-full rounded-2xl" />
        )
      ) : pending.length === 0 ? (
        <EmptyState
          icon={Award}
          title={<Trans>No application waits</Trans>}
          text={<Trans>An application appears here when a user meets every requirement and applies.</Trans>}
        />
      ) : (
        <>
          <DataTable
            label={t`Applications for certification`}
            rows={pending}
            rowKey={({ id }) => id}
            onOpen={setOpen}
            columns={[
              { title: t`User`, cell: ({ user }) => <UserName user={user} /> },
              { title: t`Applied`, cell: ({ appliedAt }) => time(appliedAt) },
              { title: t`Region`, cell: ({ user }) => user.region },
              { title: t`Trades, 30 days`, cell: ({ stats }) => count(stats.orders30d) },
              {
                title: t`Success rate`,
                cell: ({ stats }) => (stats.completionRate === null ? '–' : percent(stats.completionRate)),
              },
              { title: t`Not met`, cell: ({ checks }) => <Checks checks={checks} /> },
              {
                title: t`Decision`,
                cell: (row) => (
                  <Button tone="plain" size="small" onClick={() => setOpen(row)}>
                    <Trans>Decide</Trans>
                  </Button>
                ),
              },
            ]}
          />
          {list.hasNextPage ? (
            <Button tone="plain" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              <Trans>Show more</Trans>
            </Button>
          ) : null}
        </>
      )}
      {open === null ? null : (
        <CertificationDialog
          application={current ?? open}
          moot={current === undefined}
          onClose={() => setOpen(null)}
        />
      )}
    </Page>
  )
}
