import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Bell, ChevronRight, Settings2 } from 'lucide-react'
import { api, read } from '@/api/client'
import { tradedText } from '@/api/nftName'
import { keys } from '@/api/queries'
import type { Notification, NotificationCategory } from '@/api/types'
import { useOnline } from '@/command/connection'
import { QueryError } from '@/command/QueryError'
import { StaleNotice } from '@/command/StaleNotice'
import { MoreRecords } from '@/components/MoreRecords'
import { notificationText } from '@/components/notices/notificationText'
import { useMarkRead } from '@/components/useMarkRead'
import { useFormats } from '@/i18n/format'
import { AppLink, type AppPath, useQueryParam } from '@/navigation/navigation'
import { revealFocused } from '@/ui/revealFocused'
import { Skeleton } from '@/ui/Skeleton'
import { EmptyState } from '@/ui/State'
import { usePageVisible } from '@/ui/usePageVisible'
import { CATEGORIES } from './categories'

/** Returns the screen that shows what a notification is about. */
function target(one: Notification): { to: AppPath; query?: Record<string, string> } {
  if (one.orderId !== null) return { to: '/orderDetail', query: { id: one.orderId } }
  if (one.advertId !== null) return { to: '/myAdvert', query: { id: one.advertId } }
  if (one.certified !== null) return { to: '/certification' }
  if (one.withdrawal) return { to: '/fundRecord' }
  if (one.accountChange === 'NOTIFICATION_EMAILS') return { to: '/notificationSettings' }
  return { to: one.accountChange === null ? '/myAdvert' : '/personalCenter' }
}

/** What others and the platform did, newest first. */
export default function NotificationsPage() {
  const { t } = useLingui()
  const show = useQueryParam('show')
  const filters = [
    ['', msg`All`],
    ['unread', msg`Unread`],
    ...CATEGORIES.map(([category, { name }]) => [category, name] as const),
  ] as const
  return (
    <div className="mx-auto w-full max-w-2xl pt-2">
      <div className="mb-2 flex items-start gap-2">
        <nav aria-label={t`Filters`} className="min-w-0 flex-1">
          <div onFocus={revealFocused} className="scroll-row -m-1 flex gap-1.5 p-1 sm:flex-wrap">
            {filters.map(([value, name]) => (
              <AppLink
                key={value}
                to="/notifications"
                query={value === '' ? {} : { show: value }}
                current={show === value}
                className={`inline-flex min-h-11 shrink-0 items-center rounded-full px-3.5 font-medium text-sm ${show === value ? 'bg-raised' : 'text-muted'}`}
              >
                {t(name)}
              </AppLink>
            ))}
          </div>
        </nav>
        <AppLink
          to="/notificationSettings"
          className="inline-grid size-11 shrink-0 place-items-center rounded-full hover:bg-sunken"
        >
          <Settings2 size={21} strokeWidth={1.8} aria-hidden="true" />
          <span className="sr-only">{t`Notification settings`}</span>
        </AppLink>
      </div>
      <List key={show} show={show} />
    </div>
  )
}

function List({ show }: { show: string }) {
  const { t } = useLingui()
  const client = useQueryClient()
  const online = useOnline()
  const category: NotificationCategory | undefined = CATEGORIES.find(([name]) => name === show)?.[0]
  const query = useInfiniteQuery({
    queryKey: [...keys.notifications, 'list', show],
    queryFn: ({ pageParam }) =>
      read(
        api.GET('/user/notification/page', {
          params: {
            query: {
              ...(category === undefined ? {} : { category }),
              ...(show === 'unread' ? { unread: true } : {}),
              ...(pageParam === null ? {} : { before: pageParam }),
            },
          },
        }),
      ),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next ?? undefined,
  })
  const all = query.data?.pages.flatMap((page) => page.list)
  // Only the list of all of them shows everything up to a number. The marks stay until the list is read again.
  const newest = show === '' ? all?.[0] : undefined
  const visible = usePageVisible()
  useMarkRead(
    async (upTo) => {
      await read(api.POST('/user/notification/read', { body: { upTo } }))
      await client.invalidateQueries({ queryKey: keys.unreadNotifications })
    },
    visible && newest?.unread === true ? newest.number : null,
    `${query.dataUpdatedAt} ${online}`,
  )
  if (all === undefined) {
    return query.isError ? (
      <QueryError error={query.error} retry={() => void query.refetch()} />
    ) : (
      <Skeleton className="h-60 w-full rounded-3xl" />
    )
  }
  if (all.length === 0) {
    return (
      <EmptyState
        icon={Bell}
        title={<Trans>No notifications</Trans>}
        text={<Trans>What happens in your orders and ads, and to your account, appears here.</Trans>}
      />
    )
  }
  return (
    <>
      <StaleNotice query={query} />
      <ul aria-label={t`Notifications`}>
        {all.map((one) => (
          <Row key={one.number} one={one} />
        ))}
      </ul>
      <MoreRecords list={query} />
    </>
  )
}

function Row({ one }: { one: Notification }) {
  const { t } = useLingui()
  const { amount, time } = useFormats()
  const category = CATEGORIES.find(([name]) => name === one.category)
  return (
    <li className="border-line border-b last:border-0">
      <AppLink {...target(one)} className="flex min-h-16 items-center gap-3 py-3">
        <span
          className={`size-2.5 shrink-0 rounded-full ${one.unread ? 'bg-brand-fill' : ''}`}
          role={one.unread ? 'img' : undefined}
          aria-label={one.unread ? t`Unread` : undefined}
        />
        <span className="min-w-0 flex-1">
          <span className={`block leading-snug ${one.unread ? 'font-semibold' : ''}`}>
            {t(notificationText(one))}
          </span>
          <span className="mt-1 flex flex-wrap justify-between gap-x-3 text-muted text-sm">
            <span>
              {one.traded === null
                ? category && t(category[1].name)
                : `${tradedText(amount, one.traded, one.traded.quantity)} · ${amount(one.traded.total)} ${one.traded.quote}`}
            </span>
            <time dateTime={one.at}>{time(one.at)}</time>
          </span>
        </span>
        <ChevronRight size={18} aria-hidden="true" className="shrink-0 text-muted" />
      </AppLink>
    </li>
  )
}
