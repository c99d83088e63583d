import { useLanguageStore } from '@/i18n/catalogs'

/** Returns how an hour or a day of the price history is called. Both are those of UTC. */
export function useBucketName(hourly: boolean): (at: string) => string {
  const tag = useLanguageStore((state) => state.language.tag)
  const format = new Intl.DateTimeFormat(tag, {
    timeZone: 'UTC',
    dateStyle: 'medium',
    ...(hourly ? { timeStyle: 'short' } : {}),
  })
  return (at) => (hourly ? `${format.format(new Date(at))} UTC` : format.format(new Date(at)))
}
