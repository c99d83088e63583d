import { Trans } from '@lingui/react/macro'
import type { HallFilter } from '../hallState'

/** Says what quick trade does. */
export function TradeHint({ hall: { wish, base, quote } }: { hall: HallFilter }) {
  return wish === 'BUY' ? (
    <Trans>Enter an amount, and see the ad that gives you the most {base} for it.</Trans>
  ) : (
    <Trans>Enter an amount, and see the ad that gives you the most {quote} for it.</Trans>
  )
}
