import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { BadgeCheck } from 'lucide-react'
import { useState } from 'react'
import { read } from '@/api/createApi'
import { QueryError } from '@/command/QueryError'
import { useFormats } from '@/i18n/format'
import { Button } from '@/ui/Button'
import { Skeleton } from '@/ui/Skeleton'
import { EmptyState } from '@/ui/State'
import { api } from './client'
import { DataTable } from './DataTable'
import { Page } from './Page'
import type { User } from './types'
import { NicknameDialog } from './UserDecisions'
import { UserName } from './UserPills'

const PAGE = 20

/** Nicknames under review, oldest first. */
export function NicknamesPage() {
  const { t } = useLingui()
  const { time } = useFormats()
  const [reviewed, setReviewed] = useState<User | null>(null)
  const list = useInfiniteQuery({
    queryKey: ['nicknames'],
    queryFn: ({ pageParam }) => read(api.GET('/ops/nicknames', { params: { query: pageParam } })),
    initialPageParam: {},
    getNextPageParam: (page) => {
      const last = page.at(-1)
      return page.length < PAGE || last === undefined
        ? undefined
        : { after: last.since, afterUser: last.user.id }
    },
  })
  const pending = list.data?.pages.flat()
  const current = pending?.find(({ user }) => user.id === reviewed?.id)
  return (
    <Page title={<Trans>Nicknames under review</Trans>}>
      {pending === undefined ? (
        list.isError ? (
          <QueryError error={list.error} retry={() => void list.refetch()} />
        ) : (
          <Skeleton className="h-64 w-full rounded-2xl" />
        )
      ) : pending.length === 0 ? (
        <EmptyState
          icon={BadgeCheck}
          title={<Trans>All nicknames are reviewed</Trans>}
          text={<Trans>A nickname appears here when a user chooses or changes it.</Trans>}
        />
      ) : (
        <>
          <DataTable
            label={t`Nicknames under review`}
            rows={pending}
            rowKey={({ user }) => user.id}
            onOpen={({ user }) => setReviewed(user)}
            columns={[
              { title: t`Nickname`, cell: ({ user }) => <UserName user={user} /> },
              { title: t`Chosen`, cell: ({ since }) => time(since) },
              { title: t`Region`, cell: ({ user }) => user.region },
              {
                title: t`Review result`,
                cell: ({ user }) => (
                  <Button tone="plain" size="small" onClick={() => setReviewed(user)}>
                    <Trans>Review</Trans>
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
      {reviewed === null ? null : (
        <NicknameDialog
          user={current?.user ?? { ...reviewed, nicknamePendingSince: null }}
          onClose={() => setReviewed(null)}
        />
      )}
    </Page>
  )
}
