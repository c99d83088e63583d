import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { Fragment, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { conversation, isComplete, lastNumber, loadOlder, renewLinks, type Talk } from '@/api/talk'
import type { TalkEntry } from '@/api/types'
import { useFormats } from '@/i18n/format'
import { useNow } from '@/lib/clock'
import { Spinner } from '@/ui/Spinner'
import { byDay, daysAgo } from './days'
import { Message, OfficialMessage, PendingMessage, type Progress, SystemLine } from './Entries'
import { forget, type Outgoing, sendAgain } from './outbox'

/** Stays above the oldest messages, so the browser must not keep it in place when earlier ones are added below it. */
const UNANCHORED = '[overflow-anchor:none]'
/** A scrollable area must be reachable with the keyboard. */
const SCROLLABLE = { tabIndex: 0 } as const
/** The distance to an end at which it counts as reached, in pixels. */
const NEAR = 120

/** Returns whether the newest entry is in view. The box is scrolled from its bottom, so positions above it are negative. */
function isAtBottom(box: HTMLElement): boolean {
  return -box.scrollTop < NEAR
}

/** Scrolls an element of the box to its middle. `scrollIntoView` would also scroll the page beside the box. */
function center(element: HTMLElement, box: HTMLElement): void {
  const middle = ({ top, bottom }: DOMRect) => (top + bottom) / 2
  box.scrollTop += middle(element.getBoundingClientRect()) - middle(box.getBoundingClientRect())
}

/** The entries of a conversation and the messages on their way. It scrolls from the bottom. */
export function MessageLog({
  orderId,
  talk,
  outgoing,
  newFrom,
  bottom,
  onBottom,
}: {
  orderId: string
  talk: Talk
  outgoing: readonly Outgoing[]
  /** The number of the first entry that was unread when the conversation was opened, if any. */
  newFrom: number | null
  /** Whether the newest entry is in view. */
  bottom: boolean
  /** Called when the newest entry comes into view or leaves it, and first once the view has moved to the first unread entry. */
  onBottom: (bottom: boolean) => void
}) {
  const { t } = useLingui()
  const client = useQueryClient()
  const box = useRef<HTMLDivElement>(null)
  const divider = useRef<HTMLDivElement>(null)
  const earlier = useRef<HTMLButtonElement>(null)
  const [seen, setSeen] = useState(lastNumber(talk))
  const [loading, setLoading] = useState(false)
  const last = lastNumber(talk)
  if (bottom && seen !== last) setSeen(last)

  // Before the first paint, so that the view does not jump.
  useLayoutEffect(() => {
    if (box.current === null) return
    if (divider.current !== null) center(divider.current, box.current)
    onBottom(isAtBottom(box.current))
  }, [onBottom])
  const waiting = outgoing.length
  useEffect(() => {
    // The user wants to see the message just sent.
    if (waiting > 0 && box.current !== null) box.current.scrollTop = 0
  }, [waiting])

  const older = () => {
    if (loading || isComplete(talk)) return
    setLoading(true)
    void loadOlder(client, orderId)
      .catch(() => null)
      .then(() => {
        // Without earlier messages, the button goes away.
        const now = client.getQueryData(conversation(orderId).queryKey)
        const ends = now !== undefined && isComplete(now)
        if (ends && earlier.current?.matches(':focus') === true) box.current?.focus({ preventScroll: true })
        setLoading(false)
      })
  }
  const scrolled = () => {
    if (box.current === null) return
    const { scrollTop, scrollHeight, clientHeight } = box.current
    onBottom(isAtBottom(box.current))
    if (scrollHeight - clientHeight + scrollTop < NEAR) older()
  }
  const fresh = talk.entries.filter((entry) => entry.number > seen && entry.kind !== 'SYSTEM').length
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={box}
        onScroll={scrolled}
        role="log"
        aria-label={t`Messages`}
        aria-live="polite"
        {...SCROLLABLE}
        className="flex h-full flex-col-reverse overflow-y-auto overscroll-contain px-3 outline-offset-[-2px]"
      >
        <div className="flex flex-col gap-2 py-3">
          {isComplete(talk) ? null : (
            // It stays while loading, so that it keeps the focus.
            <button
              ref={earlier}
              type="button"
              onClick={older}
              aria-busy={loading || undefined}
              className={`flex min-h-11 items-center gap-2 self-center px-4 text-brand text-sm ${UNANCHORED}`}
            >
              {loading ? <Spinner /> : null}
              <Trans>Show earlier messages</Trans>
            </button>
          )}
          {byDay(talk.entries).map((day) => (
            <Fragment key={day.key}>
              <DayLine at={day.at} />
              {day.entries.map((entry) => (
                <Fragment key={entry.number}>
                  {entry.number === newFrom ? (
                    <div ref={divider} className="flex items-center gap-3 py-1 text-brand text-xs">
                      <span className="h-px flex-1 bg-brand" />
                      <Trans>New messages</Trans>
                      <span className="h-px flex-1 bg-brand" />
                    </div>
                  ) : null}
                  <Entry
                    entry={entry}
                    talk={talk}
                    renew={() => void renewLinks(client, orderId, entry.number).catch(() => null)}
                  />
                </Fragment>
              ))}
            </Fragment>
          ))}
          {outgoing.map((message) => (
            <PendingMessage
              key={message.key}
              message={message}
              again={() => sendAgain(client, orderId, message)}
              discard={() => forget(orderId, [message.key])}
            />
          ))}
        </div>
      </div>
      {bottom ? null : (
        <button
          type="button"
          aria-label={fresh > 0 ? t`Newest messages, ${fresh} new` : t`Newest messages`}
          onClick={() => {
            if (box.current !== null) box.current.scrollTop = 0
          }}
          className="absolute right-4 bottom-3 grid size-11 place-items-center rounded-full bg-raised text-ink shadow-black/30 shadow-lg"
        >
          <ChevronDown size={22} aria-hidden="true" />
          {fresh > 0 ? (
            <span className="absolute -top-1.5 min-w-5 rounded-full bg-brand-fill px-1 font-bold text-on-brand text-xs leading-5">
              {fresh}
            </span>
          ) : null}
        </button>
      )}
    </div>
  )
}

function Entry({ entry, talk, renew }: { entry: TalkEntry; talk: Talk; renew: () => void }): ReactNode {
  if (entry.kind === 'SYSTEM') return <SystemLine entry={entry} reader={talk.role} />
  if (entry.kind === 'OFFICER') return <OfficialMessage entry={entry} renew={renew} />
  return (
    <Message
      entry={entry}
      own={entry.author === talk.role}
      progress={progressOf(entry, talk)}
      renew={renew}
    />
  )
}

/** Returns how far the other party has come with a message. */
export function progressOf(entry: TalkEntry, { marks, role }: Pick<Talk, 'marks' | 'role'>): Progress {
  const other = marks.find((mark) => mark.party !== role)
  if (other === undefined || other.deliveredTo < entry.number) return 'sent'
  return other.readTo < entry.number ? 'delivered' : 'read'
}

function DayLine({ at }: { at: string }) {
  const { day } = useFormats()
  const ago = daysAgo(at, useNow())
  return (
    <p className={`mx-auto rounded-full bg-sunken px-3 py-1 text-muted text-xs ${UNANCHORED}`}>
      {ago === 0 ? <Trans>Today</Trans> : ago === 1 ? <Trans>Yesterday</Trans> : day(at)}
    </p>
  )
}
