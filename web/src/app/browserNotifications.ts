import { i18n } from '@lingui/core'
import type { QueryClient } from '@tanstack/react-query'
import { api, read } from '@/api/client'
import { notificationPreferences } from '@/api/notifications'
import type { Notification as Told } from '@/api/types'
import { notificationText } from '@/components/notices/notificationText'
import { loadCatalog } from '@/i18n/catalogs'
import { showNotification } from '@/lib/systemNotifications'

/** Whose notifications were shown, and the number of the newest one, so that each is shown once. Numbers are per user. */
let shown: { userId: string; number: number } | null = null

function pathOf(one: Told): string {
  return one.orderId === null ? '/notifications' : `/orderDetail?id=${one.orderId}`
}

/**
 * Shows unread notifications of the categories that the user wants in the browser, without amounts and names. Nothing is shown to
 * a user who has come back to the page meanwhile.
 */
export default async function showInBrowser(client: QueryClient, userId: string): Promise<void> {
  const [page, preferences] = await Promise.all([
    read(api.GET('/user/notification/page', { params: { query: { unread: true } } })),
    client.fetchQuery(notificationPreferences),
    loadCatalog('notices'),
  ])
  const wanted = preferences
    .filter((one) => one.channel === 'BROWSER' && one.enabled)
    .map((one) => one.category)
  // At the first message, only the newest one is news.
  const newest = page.list[0]
  if (newest === undefined) return
  const after = shown?.userId === userId ? shown.number : newest.number - 1
  shown = { userId, number: newest.number }
  if (document.visibilityState === 'visible') return
  for (const one of page.list) {
    if (one.number <= after || !wanted.includes(one.category)) continue
    // Several tabs show the same one in place of each other.
    await showNotification({
      body: i18n._(notificationText(one)),
      tag: `mec2c ${userId} ${one.number}`,
      path: pathOf(one),
    })
  }
}
