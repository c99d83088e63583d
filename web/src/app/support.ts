/** The URL of customer support, if one is configured. */
const PAGE: string | undefined = import.meta.env['VITE_SUPPORT_URL']

export function supportAddress(language: string, userId: string | null, page = PAGE): string | null {
  if (page === undefined || page === '') return null
  const address = new URL(page)
  address.searchParams.set('lang', language)
  if (userId !== null) address.searchParams.set('userId', userId)
  return address.href
}
