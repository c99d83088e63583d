import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { dictionary } from '@/api/queries'
import type { AppealReason } from '@/api/types'
import { useLanguageStore } from '@/i18n/catalogs'
import { REASON_LABELS } from './labels'

/** Returns the names of reasons from the server's dictionary, or this app's own while it isn't loaded. */
export function useReasonNames(): (reason: AppealReason) => string {
  const { t } = useLingui()
  const header = useLanguageStore(({ language }) => language.header)
  const words = useQuery(dictionary(header)).data?.appealReasons
  return (reason) => words?.find(({ value }) => value === reason)?.name ?? t(REASON_LABELS[reason])
}
