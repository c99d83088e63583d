import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { me } from '@/api/queries'

import { useFormats } from '@/i18n/format'
import { AppLink, type AppPath } from '@/navigation/navigation'
import { useSession } from '@/session/session'
import { Notice } from '@/ui/Card'

const LEAST_CREDIT = 60

/** What must be done before an ad may be posted, each with the way there. */
export function Blockers({ quoteIsFiat }: { quoteIsFiat: boolean }) {
  const { time } = useFormats()
  const userId = useSession((state) => state.userId) ?? ''
  const user = useQuery({ ...me(userId), refetchInterval: false }).data
  if (user === undefined) return null
  const items: { key: string; text: ReactNode; to?: AppPath }[] = []
  if (user.nickname === null)
    items.push({ key: 'nickname', text: <Trans>Set a nickname</Trans>, to: '/personalCenter' })
  if (user.receivingAddress === null) {
    items.push({
      key: 'address',
      text: <Trans>Set your USDT receiving address</Trans>,
      to: '/updateReceivingAddress',
    })
  }
  if (!user.hasSecurityPassword) {
    items.push({
      key: 'security',
      text: <Trans>Set a security password</Trans>,
      to: '/updateSecurityPassword',
    })
  }
  if (user.creditScore < LEAST_CREDIT) {
    items.push({
      key: 'credit',
      text: (
        <Trans>
          Your credit is {user.creditScore}. Ads need at least {LEAST_CREDIT}.
        </Trans>
      ),
    })
  }
  if (quoteIsFiat && !user.certified) {
    items.push({
      key: 'certified',
      text: <Trans>Only certified traders may post ads against fiat money.</Trans>,
    })
  }
  if (user.holdUntil !== null) {
    items.push({
      key: 'hold',
      text: <Trans>Your account changed; ads are possible again from {time(user.holdUntil)}.</Trans>,
    })
  }
  if (items.length === 0) return null
  return (
    <Notice tone="warn">
      <p className="font-semibold">
        <Trans>Before you can post</Trans>
      </p>
      <ul className="mt-1">
        {items.map((item) => (
          <li key={item.key}>
            {item.to === undefined ? (
              <span className="block py-1.5">{item.text}</span>
            ) : (
              <AppLink
                to={item.to}
                className="flex min-h-11 items-center justify-between gap-2 font-medium underline"
              >
                {item.text}
                <ChevronRight size={16} aria-hidden="true" />
              </AppLink>
            )}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
