import { Trans } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { conversation, lastNumber, markRead, type Talk } from '@/api/talk'
import { useOnline } from '@/command/connection'
import { QueryError } from '@/command/QueryError'
import { StaleNotice } from '@/command/StaleNotice'
import { useMarkRead } from '@/components/useMarkRead'
import { Skeleton } from '@/ui/Skeleton'
import { usePageVisible } from '@/ui/usePageVisible'
import { Composer } from './Composer'
import { MessageLog } from './MessageLog'
import { forget, sendMessage, useOutbox } from './outbox'
import { splitQueue } from './pending'
import { useQuickReplies } from './useQuickReplies'

/** The conversation of an order. It fills its container, which must have a height. */
export default function Conversation({ orderId }: { orderId: string }) {
  const query = useQuery(conversation(orderId))
  const talk = query.data
  if (talk === undefined) {
    return query.isError ? (
      <QueryError error={query.error} retry={() => void query.refetch()} />
    ) : (
      <div className="flex flex-1 flex-col justify-end gap-3 p-4" aria-hidden="true">
        <Skeleton className="h-11 w-56 rounded-2xl" />
        <Skeleton className="h-11 w-44 self-end rounded-2xl" />
        <Skeleton className="h-16 w-64 rounded-2xl" />
      </div>
    )
  }
  return (
    <>
      <StaleNotice query={query} />
      <Loaded key={orderId} orderId={orderId} talk={talk} loadedAt={query.dataUpdatedAt} />
    </>
  )
}

/** Returns the mark up to which the user has read. */
function ownReadTo(talk: Talk): number {
  return talk.marks.find((mark) => mark.party === talk.role)?.readTo ?? 0
}

/** Returns the number of the last entry that the user has to read. The user's own entries are not among them. */
function lastToRead(talk: Talk): number {
  return talk.entries.findLast((entry) => entry.author !== talk.role)?.number ?? 0
}

/** Returns the first message to the user after an entry, if any. */
function firstUnread(talk: Talk, after: number): number | null {
  const unread = talk.entries.find(
    (entry) => entry.number > after && entry.kind !== 'SYSTEM' && entry.author !== talk.role,
  )
  return unread?.number ?? null
}

function Loaded({
  orderId,
  talk,
  loadedAt,
}: {
  orderId: string
  talk: Talk
  /** When the conversation was last polled or changed. */
  loadedAt: number
}) {
  const client = useQueryClient()
  const queue = useOutbox(orderId)
  const [newFrom] = useState(() => firstUnread(talk, ownReadTo(talk)))
  // Nothing counts as read before the view has moved to the first unread message.
  const [bottom, setBottom] = useState(false)
  const visible = usePageVisible()
  const last = lastNumber(talk)
  const toRead = lastToRead(talk)
  const read = ownReadTo(talk)
  const quickReplies = useQuickReplies(talk)

  const online = useOnline()
  useMarkRead(
    (upTo) => markRead(client, orderId, upTo),
    visible && bottom && read < toRead ? toRead : null,
    `${loadedAt} ${online}`,
  )

  const { arrived, pending } = splitQueue(queue, talk)
  const gone = arrived.map(({ key }) => key).join(' ')
  useEffect(() => {
    if (gone !== '') forget(orderId, gone.split(' '))
  }, [orderId, gone])

  return (
    <>
      <p className="max-2xs:hidden short:hidden flex items-center justify-center gap-1.5 px-4 py-1.5 text-center text-muted text-xs">
        <ShieldCheck size={14} className="shrink-0" aria-hidden="true" />
        <Trans>Keep all talk here: this chat is evidence in a dispute.</Trans>
      </p>
      <MessageLog
        orderId={orderId}
        talk={talk}
        outgoing={pending}
        newFrom={newFrom}
        bottom={bottom}
        onBottom={setBottom}
      />
      {talk.open ? (
        <Composer
          orderId={orderId}
          quickReplies={quickReplies}
          send={(text, files) => sendMessage(client, orderId, { text, files, after: last })}
        />
      ) : (
        <p className="border-line border-t px-4 py-3 pb-[calc(var(--spacing)*3+env(safe-area-inset-bottom))] text-center text-muted text-sm">
          <Trans>This chat is closed because the order ended some time ago. You can still read it.</Trans>
        </p>
      )}
    </>
  )
}
