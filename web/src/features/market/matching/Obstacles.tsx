import { Trans } from '@lingui/react/macro'
import { ChevronRight } from 'lucide-react'
import type { Matches, Pair, UserInfo } from '@/api/types'
import { chainTypesOf } from '@/components/trading/chainTypesOf'
import { MissingRequirements } from '@/components/trading/MissingRequirements'
import { AppLink } from '@/navigation/navigation'
import { Notice } from '@/ui/Card'
import type { Trade } from './trade'

/** What the user lacks, whichever the ad, with the way to it. */
export function Obstacles({
  matches,
  trade,
  user,
  pair,
  next,
}: {
  matches: Matches
  trade: Trade
  user: UserInfo
  pair: Pair | undefined
  /** The address to return to. */
  next: string
}) {
  const { quote } = trade.hall
  return (
    <>
      <MissingRequirements
        missing={matches.missing}
        user={user}
        act="order"
        chainTypes={chainTypesOf(pair, false)}
        tried={false}
        next={next}
      />
      {matches.needsPaymentMethod ? (
        <Notice tone="warn">
          <AppLink
            to="/creatingPayment"
            query={{ currency: quote, next }}
            className="flex min-h-11 items-center justify-between gap-2 font-medium underline"
          >
            <span>
              <Trans>Add a payment method in {quote}. Both sides need one of the same type.</Trans>
            </span>
            <ChevronRight size={16} className="shrink-0" aria-hidden="true" />
          </AppLink>
        </Notice>
      ) : null}
    </>
  )
}
