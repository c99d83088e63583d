import { useQuery } from '@tanstack/react-query'
import { countries, currentUser } from '@/api/queries'
import { useSession } from '@/session/session'

/** Returns the currency of the user's country: null while loading, empty if unknown. */
export function useOwnCurrency(): string | null {
  const userId = useSession((state) => state.userId) ?? ''
  const user = useQuery(currentUser(userId))
  const places = useQuery(countries)
  if (user.isError || places.isError) return ''
  if (user.data === undefined || places.data === undefined) return null
  const { countryCode } = user.data
  return places.data.find((place) => place.abb2 === countryCode)?.currency ?? ''
}
