import { useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, read } from '@/api/client'
import { keys } from '@/api/queries'
import { useCommand } from '@/command/useCommand'
import { toast } from '@/ui/toast'

const ONLINE = [...keys.adverts, 'online']

/** Returns whether the user is online, and the command that takes the user and all of their ads online or offline. */
export function useOnline(): {
  /** Undefined while loading. */
  online: boolean | undefined
  busy: boolean
  setOnline: (online: boolean) => void
} {
  const { t } = useLingui()
  const client = useQueryClient()
  const { data } = useQuery({ queryKey: ONLINE, queryFn: () => read(api.GET('/c2c/advert/online')) })
  const change = useCommand({
    run: (online: boolean, headers) =>
      read(api.POST('/c2c/advert/online', { params: { query: { online } }, headers })),
    touches: [keys.adverts, keys.me, keys.hall],
    done: (now) => {
      client.setQueryData(ONLINE, now)
      toast(now.online ? t`You’re now online` : t`You’re now offline`)
    },
  })
  return { online: data?.online, busy: change.busy, setOnline: change.send }
}
