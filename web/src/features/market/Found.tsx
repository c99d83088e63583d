import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, read } from '@/api/client'
import { keys } from '@/api/queries'
import { type HallFilter, hallQuery } from './hallState'

/** Says how long the list with these filters is. The total is undefined without an answer of the server. */
export function Found({ hall, say }: { hall: HallFilter; say: (total: number | undefined) => ReactNode }) {
  const { data, isPlaceholderData } = useQuery({
    queryKey: [...keys.hall, 'count', hall],
    queryFn: () => read(api.GET('/c2c/advert/page', { params: { query: hallQuery(hall, 1, 1) } })),
    placeholderData: keepPreviousData,
  })
  return (
    <span aria-live="polite" className={isPlaceholderData ? 'opacity-60' : ''}>
      {say(data?.total)}
    </span>
  )
}
