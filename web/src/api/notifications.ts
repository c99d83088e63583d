import { queryOptions } from '@tanstack/react-query'
import { api, read } from './client'
import { keys, pollEvery } from './queries'

/** How many notifications the user has not seen. The socket keeps it current; polling is for when the socket is closed. */
export const unreadNotifications = queryOptions({
  queryKey: keys.unreadNotifications,
  queryFn: () => read(api.GET('/user/notification/unRead')),
  refetchInterval: pollEvery(60_000),
})

export const notificationPreferences = queryOptions({
  queryKey: keys.notificationPreferences,
  queryFn: () => read(api.GET('/user/notification/preference')),
})
