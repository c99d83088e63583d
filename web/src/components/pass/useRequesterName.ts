import { useLingui } from '@lingui/react/macro'
import type { PassChallenge } from '@/api/types'

/** Returns the requesting browser and its region, in the same words as the pass. */
export function useRequesterName({ browser, system, region }: PassChallenge['requester']): string {
  const { t, i18n } = useLingui()
  const where =
    region === null
      ? t`unknown region`
      : (new Intl.DisplayNames(i18n.locale, { type: 'region', fallback: 'code' }).of(region) ?? region)
  if (browser === null) return t`unknown browser · ${where}`
  return system === null ? t`${browser} · ${where}` : t`${browser} on ${system} · ${where}`
}
