import { i18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { type Query, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { currentUser, keys } from '@/api/queries'
import { receiveTalk, reportMissed } from '@/api/talk'
import { browserTransport, Socket, type SocketMessage, socketPath } from '@/realtime/socket'
import { playSound, unlockSound } from '@/realtime/sound'
import { deviceId, useSession } from '@/session/session'
import { toast } from '@/ui/toast'
import { announceOrder, markCreditChanged, markCreditSeen, useCreditChanged } from './live'
import type { AppPath } from './routes'

/** Status codes with which the server reports that this user is offline: by their own command, or for missed acceptances. */
const OFFLINE_CODES = new Set(['37', '38'])

/** Messages that may come with a notification. */
const NOTIFIED = new Set(['NEW_ORDER', 'ORDER_STATUS_CHANGE', 'ACCOUNT_CHANGE'])

/** Returns whether the page is about an order. */
function isShown(orderId: string): boolean {
  return new URLSearchParams(location.search).get('id') === orderId
}

/** Refreshes the data that a message concerns; `docs/realtime.md` lists the messages. */
function handleMessage(client: QueryClient, userId: string, { type, message }: SocketMessage): void {
  const stale = (queryKey: readonly string[]) => void client.invalidateQueries({ queryKey })
  if (type === 'NEW_ORDER') {
    stale(keys.orders)
    stale(keys.adverts)
    stale(keys.talk)
    announceOrder(message)
    playSound()
  } else if (type === 'ORDER_STATUS_CHANGE') {
    if (OFFLINE_CODES.has(message)) stale(keys.me)
    if (message === '38') toast(i18n._(msg`Your ads are offline: orders went unanswered`))
    if (message.includes('EVIDENCE_REQUESTED')) toast(i18n._(msg`An officer asks you for evidence`))
    for (const key of [keys.orders, keys.adverts, keys.balance, keys.fundRecords, keys.talk]) stale(key)
  } else if (type === 'ACCOUNT_CHANGE') {
    stale(keys.me)
    stale(keys.certification)
    if (message.includes('certification')) toast(i18n._(msg`Certification: decided`))
  } else if (type === 'TALK') {
    const orderId = receiveTalk(client, message)
    if (orderId !== null && !isShown(orderId)) toast(i18n._(msg`New message`))
  } else if (type === 'OTC_VOICE') {
    playSound()
  }
  if (NOTIFIED.has(type)) {
    stale(keys.notifications)
    notifyInBackground(client, userId)
  }
}

/** Shows what happened as a notification of the operating system, if the page is in the background and may do so. */
function notifyInBackground(client: QueryClient, userId: string): void {
  if (document.visibilityState === 'visible') return
  if (!('Notification' in window) || Notification.permission !== 'granted') return
  void import('./browserNotifications').then((module) => module.default(client, userId)).catch(() => null)
}

/** The keys of the data that messages of the socket concern. */
const LIVE: ReadonlySet<unknown> = new Set(
  [
    keys.orders,
    keys.adverts,
    keys.balance,
    keys.fundRecords,
    keys.me,
    keys.certification,
    keys.talk,
    keys.notifications,
  ].map(([first]) => first),
)

/** Reads everything again that a missed message may concern, once the socket is open. */
async function catchUp(client: QueryClient): Promise<void> {
  const live = { predicate: ({ queryKey }: Query) => LIVE.has(queryKey[0]) }
  // A first fetch goes on, although the server may have answered it before the socket was open.
  const loading = client
    .getQueryCache()
    .findAll(live)
    .filter(({ state }) => state.data === undefined && state.fetchStatus === 'fetching')
  await client.invalidateQueries(live)
  for (const { queryKey } of loading) void client.invalidateQueries({ queryKey, exact: true })
  await reportMissed(client)
}

/** The page that shows the credit score. */
const CREDIT_PAGE: AppPath = '/personalCenter'

/** Keeps the socket open while there is a session, and watches the credit score. `pathname` is the page that the user sees. */
export function useLiveSession(pathname: string): void {
  const client = useQueryClient()
  const userId = useSession((state) => state.userId) ?? ''
  const known = useQuery({ ...currentUser(userId), enabled: userId !== '' })
  const id = known.data?.id
  const score = known.data?.reputation

  useEffect(() => unlockSound(), [])

  useEffect(() => {
    if (id === undefined) return
    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:'
    const socket = new Socket({
      open: (events) =>
        browserTransport(`${scheme}//${location.host}/api/fiat/${socketPath(id, deviceId())}`, events),
      onMessage: (message) => handleMessage(client, id, message),
      onConnected: () => void catchUp(client).catch(() => null),
    })
    socket.start()
    void reportMissed(client).catch(() => null)
    const seen = () => {
      if (document.visibilityState === 'visible') socket.wake()
    }
    document.addEventListener('visibilitychange', seen)
    window.addEventListener('focus', seen)
    return () => {
      document.removeEventListener('visibilitychange', seen)
      window.removeEventListener('focus', seen)
      socket.stop()
    }
  }, [id, client])

  useEffect(() => {
    if (score === undefined) return
    const key = `reputation ${userId}`
    const previous = sessionStorage.getItem(key)
    if (previous !== null && previous !== String(score)) markCreditChanged()
    sessionStorage.setItem(key, String(score))
  }, [score, userId])

  const changed = useCreditChanged()
  useEffect(() => {
    if (changed && pathname === CREDIT_PAGE) markCreditSeen()
  }, [changed, pathname])
}
