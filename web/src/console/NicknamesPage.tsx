import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { BadgeCheck } from 'lucide-react'
import { useState } from 'react'
import { read } from '@/api/createApi'
import { useFormats } from '@/i18n/format'
import { Button } from '@/ui/Button'
import { api } from './client'
import { type NicknameOutcome, NicknamesDialog, NicknamesReport } from './NicknamesDialog'
import { Page } from './Page'
import { PagedTable } from './PagedTable'
import { NICKNAMES } from './queries'
import type { NicknameVerdict, User } from './types'
import { NicknameDialog } from './UserDecisions'
import { UserName } from './UserPills'

const PAGE = 20
/** The server reviews at most this many nicknames at once. */
const MOST_AT_ONCE = 100

/** Nicknames under review, oldest first. */
export function NicknamesPage() {
  const { t } = useLingui()
  const { time } = useFormats()
  const [reviewed, setReviewed] = useState<User | null>(null)
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const [verdict, setVerdict] = useState<NicknameVerdict | null>(null)
  const [report, setReport] = useState<readonly NicknameOutcome[] | null>(null)
  const list = useInfiniteQuery({
    queryKey: NICKNAMES,
    queryFn: ({ pageParam }) => read(api.GET('/console/nicknames', { params: { query: pageParam } })),
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
  const selectable = pending?.slice(0, MOST_AT_ONCE).map(({ user }) => user) ?? []
  // A nickname that another officer has reviewed meanwhile is no longer listed.
  const chosen = selectable.filter((user) => marked.has(user.id))
  const mark = (user: User, on: boolean) => {
    const next = new Set(marked)
    if (on) next.add(user.id)
    else next.delete(user.id)
    setMarked(next)
  }
  return (
    <Page title={<Trans>Nicknames under review</Trans>}>
      <PagedTable
        query={list}
        rows={pending}
        empty={{
          icon: BadgeCheck,
          title: <Trans>All nicknames are reviewed</Trans>,
          text: <Trans>A nickname appears here when a user chooses or changes it.</Trans>,
        }}
        above={
          <div className="flex flex-wrap items-center gap-3">
            <label className="flex min-h-11 items-center gap-3 pl-4">
              <input
                type="checkbox"
                checked={chosen.length === selectable.length}
                onChange={(event) =>
                  setMarked(new Set(event.target.checked ? selectable.map((user) => user.id) : []))
                }
                className="size-5 accent-brand"
              />
              <Trans>Choose all of this list</Trans>
            </label>
            <span role="status" className="text-muted text-sm">
              {chosen.length === 0 ? null : (
                <Plural value={chosen.length} one="# nickname chosen" other="# nicknames chosen" />
              )}
            </span>
            <div className="ml-auto flex flex-wrap gap-2">
              <Button
                tone="plain"
                size="small"
                disabled={chosen.length === 0}
                onClick={() => setVerdict('APPROVE')}
              >
                <Trans>Approve chosen…</Trans>
              </Button>
              <Button
                tone="danger"
                size="small"
                disabled={chosen.length === 0}
                onClick={() => setVerdict('REJECT')}
              >
                <Trans>Reject chosen…</Trans>
              </Button>
            </div>
          </div>
        }
        label={t`Nicknames under review`}
        rowKey={({ user }) => user.id}
        onOpen={({ user }) => setReviewed(user)}
        columns={[
          {
            title: t`Choose`,
            cell: ({ user }) => (
              <label className="-my-3 grid size-11 place-items-center">
                <input
                  type="checkbox"
                  aria-label={t`Choose ${user.nickname ?? ''}`}
                  checked={marked.has(user.id)}
                  disabled={!selectable.includes(user)}
                  onChange={(event) => mark(user, event.target.checked)}
                  className="size-5 accent-brand"
                />
              </label>
            ),
          },
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
      {reviewed === null ? null : (
        <NicknameDialog
          user={current?.user ?? { ...reviewed, nicknamePendingSince: null }}
          onClose={() => setReviewed(null)}
        />
      )}
      {verdict === null ? null : (
        <NicknamesDialog
          users={chosen}
          verdict={verdict}
          done={(outcomes) => {
            setMarked(new Set())
            // If all nicknames are reviewed, there is nothing to read.
            if (outcomes.some(({ result }) => result !== 'REVIEWED')) setReport(outcomes)
          }}
          onClose={() => setVerdict(null)}
        />
      )}
      {report === null ? null : <NicknamesReport outcomes={report} onClose={() => setReport(null)} />}
    </Page>
  )
}
