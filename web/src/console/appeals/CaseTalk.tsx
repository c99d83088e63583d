import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Fragment, useEffect, useRef, useState } from 'react'
import { QueryError } from '@/command/QueryError'
import { StaleNotice } from '@/command/StaleNotice'
import { useFormats } from '@/i18n/format'
import { Segments } from '@/ui/Chip'
import { Skeleton } from '@/ui/Skeleton'
import { renewEntry, talkOf } from './data'
import { OfficialComposer } from './OfficialComposer'
import { DayLine, OfficialMessage, PartyMessage, PendingOfficial, Transition } from './TalkEntries'
import type { Case, CaseEntry } from './types'
import { useOfficialMessages } from './useOfficialMessages'

type Filter = 'ALL' | 'CHAT' | 'EVENTS'

/** A scrollable area must be reachable with the keyboard. */
const SCROLLABLE = { tabIndex: 0 } as const
/** The distance to the newest entry at which the list follows new ones, in pixels. */
const NEAR = 120

function fits(entry: CaseEntry, filter: Filter): boolean {
  return filter === 'ALL' || (entry.kind === 'SYSTEM') === (filter === 'EVENTS')
}

/** Everything that happened in the order and was said about it, and the field for official messages while the appeal is open. */
export function CaseTalk({
  found,
  officer,
  show,
}: {
  found: Case
  officer: string
  show: (file: string) => void
}) {
  const { t } = useLingui()
  const { time } = useFormats()
  const { id } = found.summary
  const [filter, setFilter] = useState<Filter>('ALL')
  const talk = useQuery(talkOf(id))
  const { pending, send, again, discard } = useOfficialMessages(officer, id)
  const box = useRef<HTMLDivElement>(null)
  const following = useRef(true)
  const entries = (talk.data ?? []).filter((entry) => fits(entry, filter))
  const newest = `${entries.at(-1)?.number ?? 0} ${pending.length} ${filter}`
  useEffect(() => {
    if (newest !== '' && following.current && box.current !== null)
      box.current.scrollTop = box.current.scrollHeight
  }, [newest])
  const scrolled = () => {
    if (box.current === null) return
    const { scrollTop, scrollHeight, clientHeight } = box.current
    following.current = scrollHeight - clientHeight - scrollTop < NEAR
  }
  return (
    <section
      aria-label={t`Timeline and chat`}
      className="relative flex min-h-0 flex-col overflow-hidden rounded-2xl bg-surface"
    >
      <div className="border-line border-b p-2.5 text-sm">
        <Segments
          name="talk"
          label={t`Show`}
          value={filter}
          onChange={setFilter}
          options={[
            { value: 'ALL', label: t`Everything` },
            { value: 'CHAT', label: t`Chat` },
            { value: 'EVENTS', label: t`Timeline` },
          ]}
        />
        <StaleNotice query={talk} />
      </div>
      <div
        ref={box}
        role="log"
        aria-label={t`Timeline and chat`}
        onScroll={scrolled}
        {...SCROLLABLE}
        className="relative flex min-h-0 flex-1 flex-col gap-2 overflow-y-auto overscroll-contain px-4 py-3 text-sm outline-offset-[-2px]"
      >
        {talk.data === undefined ? (
          talk.isError ? (
            <QueryError error={talk.error} retry={() => void talk.refetch()} />
          ) : (
            <>
              <Skeleton className="h-11 w-56 rounded-2xl" />
              <Skeleton className="h-11 w-44 self-end rounded-2xl" />
            </>
          )
        ) : entries.length === 0 ? (
          <p className="m-auto text-muted">
            <Trans>Nothing here yet.</Trans>
          </p>
        ) : (
          entries.map((entry, index) => {
            const before = entries[index - 1]
            const newDay = before === undefined || dayOf(before.at) !== dayOf(entry.at)
            return (
              <Fragment key={entry.number}>
                {newDay ? <DayLine at={entry.at} /> : null}
                <Entry entry={entry} before={newDay ? undefined : before} found={found} show={show} />
              </Fragment>
            )
          })
        )}
        {filter === 'EVENTS'
          ? null
          : pending.map((message) => (
              <PendingOfficial
                key={message.key}
                message={message}
                again={() => again(message.key)}
                discard={() => discard(message.key)}
              />
            ))}
      </div>
      {found.readableUntil === null ? (
        <OfficialComposer
          key={id}
          send={(text) => {
            following.current = true
            if (filter === 'EVENTS') setFilter('ALL')
            send(text)
          }}
        />
      ) : (
        <p className="border-line border-t px-4 py-3 text-muted text-sm">
          <Trans>
            The appeal has ended, so no one can write here any more. You can read the case until{' '}
            {time(found.readableUntil)}.
          </Trans>
        </p>
      )}
    </section>
  )
}

/** The day of a time in the time zone of this device. */
function dayOf(iso: string): string {
  return new Date(iso).toDateString()
}

function Entry({
  entry,
  before,
  found,
  show,
}: {
  entry: CaseEntry
  before: CaseEntry | undefined
  found: Case
  show: (file: string) => void
}) {
  const client = useQueryClient()
  if (entry.kind === 'SYSTEM') return <Transition entry={entry} />
  if (entry.kind === 'OFFICER') return <OfficialMessage entry={entry} />
  const begins = before?.kind !== 'MESSAGE' || before.author !== entry.author
  const { buyer, seller } = found.parties
  const name = (entry.author === 'BUYER' ? buyer.nickname : seller.nickname) ?? '–'
  return (
    <PartyMessage
      entry={entry}
      name={begins ? name : null}
      show={show}
      renew={() => void renewEntry(client, found.summary.id, entry.number)}
    />
  )
}
