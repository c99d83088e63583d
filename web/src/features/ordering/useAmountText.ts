import { useLingui } from '@lingui/react/macro'
import { isApiError, refusedFact } from '@/api/envelope'
import type { HallAdvert } from '@/api/types'
import { useErrorText } from '@/command/useErrorText'
import { useMoney } from '@/components/useMoney'
import { useFormats } from '@/i18n/format'

/** Returns the text for a refusal of an order because of its amount; empty without one. */
export function useAmountText(refusal: unknown, { base, quote, orderMin, orderMax }: HallAdvert): string {
  const { t } = useLingui()
  const { amount } = useFormats()
  const money = useMoney()
  const said = useErrorText(refusal, 'command')
  const left = refusedFact(refusal, 'left')
  // The ad's limits may be wider than what is left of it, which the form shows.
  if (isApiError(refusal) && refusal.code === '5009')
    return t`Between ${money(orderMin, quote)} and ${money(orderMax, quote)} ${quote}`
  if (left) return t`Only ${amount(left)} ${base} left`
  if (isApiError(refusal) && refusal.code === '5021') return t`The fee would use up the entire amount.`
  return said
}
