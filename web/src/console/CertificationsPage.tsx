import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Award } from 'lucide-react'
import { useState } from 'react'
import { read } from '@/api/createApi'
import { useFormats } from '@/i18n/format'
import { Button } from '@/ui/Button'
import { CertificationDialog, Checks } from './CertificationDialog'
import { api } from './client'
import { Page } from './Page'
import { PagedTable } from './PagedTable'
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
    queryFn: ({ pageParam }) => read(api.GET('/console/certifications', { params: { query: pageParam } })),
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
      <PagedTable
        query={list}
        rows={pending}
        empty={{
          icon: Award,
          title: <Trans>No application waits</Trans>,
          text: <Trans>An application appears here when a user meets every requirement and applies.</Trans>,
        }}
        label={t`Applications for certification`}
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
