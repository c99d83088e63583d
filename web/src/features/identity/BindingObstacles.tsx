import { Trans } from '@lingui/react/macro'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { BindingObstacle } from '@/api/types'
import { AppLink, type AppPath } from '@/navigation/navigation'
import { Notice } from '@/ui/Card'

interface Item {
  text: ReactNode
  /** The screen on which the user removes the obstacle; absent if the user can only wait. */
  to?: AppPath
}

const ITEMS: Record<BindingObstacle, Item> = {
  ADVERT: { text: <Trans>Revoke your ads</Trans>, to: '/myAdvert' },
  ORDER: { text: <Trans>Finish your orders</Trans>, to: '/order' },
  BALANCE: { text: <Trans>Withdraw your coins and NFTs</Trans>, to: '/fundRecord' },
  PAYOUT: { text: <Trans>Wait until the blockchain confirms your payouts.</Trans>, to: '/fundRecord' },
  DEBT: { text: <Trans>Repay your debt</Trans>, to: '/fundRecord' },
  VOIDED_PAYOUT: { text: <Trans>Wait until we’ve settled a voided payout.</Trans> },
}

/** Why the bound address may not change now, with what the user can do about it. */
export function BindingObstacles({ obstacles }: { obstacles: readonly BindingObstacle[] }) {
  return (
    <Notice tone="warn">
      <p className="font-semibold">
        <Trans>Before you can change it</Trans>
      </p>
      <p className="mt-1 text-sm">
        <Trans>What MEC2C holds or owes you returns to this address, so it can’t change meanwhile.</Trans>
      </p>
      <ul className="mt-1">
        {obstacles.map((obstacle) => {
          const { text, to } = ITEMS[obstacle]
          return (
            <li key={obstacle}>
              {to === undefined ? (
                <span className="block py-1.5">{text}</span>
              ) : (
                <AppLink
                  to={to}
                  className="flex min-h-11 items-center justify-between gap-2 font-medium underline"
                >
                  <span>{text}</span>
                  <ChevronRight size={16} className="shrink-0" aria-hidden="true" />
                </AppLink>
              )}
            </li>
          )
        })}
      </ul>
    </Notice>
  )
}
