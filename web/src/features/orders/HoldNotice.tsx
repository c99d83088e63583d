import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { currentUser } from '@/api/queries'
import type { Order } from '@/api/types'
import { useFormats } from '@/i18n/format'
import { useIsAhead } from '@/lib/clock'
import { useSession } from '@/session/session'
import { Notice } from '@/ui/Card'

/** Why the advertiser cannot accept the order: the account is on hold. */
export function HoldNotice({ order }: { order: Order }) {
  const { time } = useFormats()
  const userId = useSession((state) => state.userId) ?? ''
  const until = useQuery(currentUser(userId)).data?.holdUntil ?? null
  const held = useIsAhead(until)
  if (!held || !order.advertiser || order.state !== 'AWAITING_ACCEPTANCE') return null
  return (
    <Notice tone="warn">
      <Trans>Your account is on hold, so you can’t accept orders until {time(until ?? '')}.</Trans>
    </Notice>
  )
}
