import { Trans } from '@lingui/react/macro'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { UserInfo } from '@/api/types'
import { useFormats } from '@/i18n/format'
import { AppLink, type AppPath, type Query } from '@/navigation/navigation'
import { Notice } from '@/ui/Card'
import { type Intent, MIN_REPUTATION, type Requirement } from '../requirements'

interface Item {
  text: ReactNode
  /** The screen for this step; absent if the user can only wait. */
  to?: AppPath
  query?: Query
}

/** Lists what the user must do before posting or ordering, with links. */
export function MissingRequirements({
  requirements,
  user,
  intent,
  tried,
  next,
}: {
  requirements: readonly Requirement[]
  user: UserInfo
  intent: Intent
  /** Whether the user tried to continue, so that screen readers announce the list. */
  tried: boolean
  /** The address to return to from each step, with what the user entered. */
  next: string
}) {
  const { time } = useFormats()
  if (requirements.length === 0) return null
  const chains = intent.chainTypes.join(', ')
  const items: Record<Requirement, Item> = {
    identity: {
      text: <Trans>Verify your identity in the pass app, then log in with your pass again.</Trans>,
    },
    advancedIdentity: {
      text: <Trans>Fiat ads require advanced verification in the pass app.</Trans>,
    },
    certified: {
      text: <Trans>Only certified traders can post fiat ads. See what it takes</Trans>,
      to: '/certification',
    },
    reputation: {
      text: (
        <Trans>
          Your credit score is {user.reputation}. You need at least {MIN_REPUTATION} to post ads.
        </Trans>
      ),
    },
    hold: {
      text: (
        <Trans>
          Your account details changed recently. This is available again from {time(user.holdUntil ?? '')}.
        </Trans>
      ),
    },
    nickname: {
      text: <Trans>Set a nickname</Trans>,
      to: '/personalCenter',
      query: { set: 'nickname', next },
    },
    address: {
      text: <Trans>Set your USDT receiving address</Trans>,
      to: '/updateReceivingAddress',
      query: { next },
    },
    chain: {
      text: (
        <Trans>
          Sellers of this pair are paid on {chains}, but your USDT address is on {user.chainType}. Change it
        </Trans>
      ),
      to: '/updateReceivingAddress',
      query: { next },
    },
    security: {
      text: <Trans>Set a security password</Trans>,
      to: '/updateSecurityPassword',
      query: { next },
    },
  }
  return (
    <div role={tried ? 'alert' : undefined}>
      <Notice tone="warn">
        <p className="font-semibold">
          {intent.act === 'post' ? <Trans>Before you can post</Trans> : <Trans>Before you can order</Trans>}
        </p>
        <ul className="mt-1">
          {requirements.map((name) => {
            const { text, to, query = {} } = items[name]
            return (
              <li key={name}>
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
