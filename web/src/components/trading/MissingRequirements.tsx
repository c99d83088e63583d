import { Trans } from '@lingui/react/macro'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { MissingRequirement, TradeRequirement, UserInfo } from '@/api/types'
import { useFormats } from '@/i18n/format'
import { AppLink, type AppPath, type Query } from '@/navigation/navigation'
import { Notice } from '@/ui/Card'

interface Item {
  text: ReactNode
  /** The screen for this step; absent if the user can only wait. */
  to?: AppPath
  query?: Query
}

/** Lists what the user must do before posting or ordering, with links. */
export function MissingRequirements({
  missing,
  user,
  act,
  chainTypes,
  tried,
  next,
}: {
  /** What the server says. */
  missing: readonly MissingRequirement[]
  user: UserInfo
  act: 'post' | 'order'
  /** The chain types on which sellers of the pair are paid. */
  chainTypes: readonly string[]
  /** Whether the user tried to continue, so that screen readers announce the list. */
  tried: boolean
  /** The address to return to from each step, with what the user entered. */
  next: string
}) {
  const { time } = useFormats()
  if (missing.length === 0) return null
  const chains = chainTypes.join(', ')
  const items = ({ has, needed, until }: MissingRequirement): Record<TradeRequirement, Item> => ({
    NO_RESTRICTION: {
      text: <Trans>Risk control has restricted your account.</Trans>,
    },
    BASIC_VERIFICATION: {
      text: <Trans>Verify your identity in the pass app, then log in with your pass again.</Trans>,
    },
    BOUND_ADDRESS: {
      text: <Trans>Bind an address through your pass</Trans>,
      to: '/boundAddress',
    },
    ADVANCED_VERIFICATION: {
      text: <Trans>Fiat ads require advanced verification in the pass app.</Trans>,
    },
    CERTIFICATION: {
      text: <Trans>Only certified traders can post fiat ads. See what it takes</Trans>,
      to: '/certification',
    },
    REPUTATION: {
      text: (
        <Trans>
          Your credit score is {has}. You need at least {needed} to post ads.
        </Trans>
      ),
    },
    NO_HOLD: {
      text: (
        <Trans>
          Your account details changed recently. This is available again from {time(until ?? '')}.
        </Trans>
      ),
    },
    NICKNAME: {
      text: <Trans>Set a nickname</Trans>,
      to: '/personalCenter',
      query: { set: 'nickname', next },
    },
    RECEIVING_ADDRESS: {
      text: <Trans>Set your USDT receiving address</Trans>,
      to: '/updateReceivingAddress',
      query: { next },
    },
    CHAIN_TYPE: {
      text: (
        <Trans>
          Sellers of this pair are paid on {chains}, but your USDT address is on {user.chainType}. Change it
        </Trans>
      ),
      to: '/updateReceivingAddress',
      query: { next },
    },
    PAYABLE_ADDRESS: {
      text: <Trans>One of your addresses can’t be used: it belongs to a contract or to MEC2C.</Trans>,
    },
    REGION: {
      text: <Trans>This currency isn’t supported in your region.</Trans>,
    },
    SECURITY_PASSWORD: {
      text: <Trans>Set a security password</Trans>,
      to: '/updateSecurityPassword',
      query: { next },
    },
  })
  return (
    <div role={tried ? 'alert' : undefined}>
      <Notice tone="warn">
        <p className="font-semibold">
          {act === 'post' ? <Trans>Before you can post</Trans> : <Trans>Before you can order</Trans>}
        </p>
        <ul className="mt-1">
          {missing.map((one) => {
            const { text, to, query = {} } = items(one)[one.requirement]
            return (
              <li key={one.requirement}>
                {to === undefined ? (
                  <span className="block py-1.5">{text}</span>
                ) : (
                  <AppLink
                    to={to}
                    query={query}
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
    </div>
  )
}
