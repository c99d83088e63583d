import { useQuery } from '@tanstack/react-query'
import { countries, me } from '@/api/queries'
import { useSession } from '@/session/session'

/** The currency of the region that the pass states; null while it is not known yet, empty where nobody can say. */
export function useOwnCurrency(): string | null {
  const userId = useSession((state) => state.userId) ?? ''
  const user = useQuery(me(userId))
  const places = useQuery(countries)
  if (user.isError || places.isError) return ''
  if (user.data === undefined || places.data === undefined) return null
  const { countryCode } = user.data
  return places.data.find((place) => place.abb2 === countryCode)?.currency ?? ''
}
