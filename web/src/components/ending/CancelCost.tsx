import { Plural, Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { api, read } from '@/api/client'
import { keys } from '@/api/queries'
import type { AvailableAction } from '@/api/types'
import { Notice } from '@/ui/Card'
import { Gap } from '@/ui/Gap'

/** The server's cost of a cancellation. With `onlyIfAgreed`, it is charged only if the other party agrees. */
export function CancelCost({
  action,
  onlyIfAgreed = false,
}: {
  action: AvailableAction
  onlyIfAgreed?: boolean
}) {
  const times = useQuery({
    queryKey: [...keys.reputation, 'times'],
    queryFn: () => read(api.GET('/c2c/deal/order/cancel/times')),
    enabled: action.usesFree,
  })
  const cost = action.reputationCost
  if (cost > 0) {
    return (
      <Notice tone="danger">
        {onlyIfAgreed ? (
          <Plural
            value={cost}
            one="If the buyer agrees, you’ll lose # credit point."
            other="If the buyer agrees, you’ll lose # credit points."
          />
        ) : (
          <Plural value={cost} one="You’ll lose # credit point." other="You’ll lose # credit points." />
        )}
        <Gap />
        <Trans>You have no free cancellations left today.</Trans>
      </Notice>
    )
  }
  if (!action.usesFree) {
    return (
      <Notice tone="good">
        <Trans>This won’t affect your credit or use a free cancellation.</Trans>
      </Notice>
    )
  }
  const after = (times.data?.freeLeft ?? 1) - 1
  return (
    <Notice tone="good">
      {onlyIfAgreed ? (
        <Trans>If the buyer agrees, this uses one of your free cancellations. You won’t lose credit.</Trans>
      ) : (
        <Trans>This uses one of your free cancellations. You won’t lose credit.</Trans>
      )}
      <Gap />
      {times.data === undefined ? null : (
        <Plural
          value={after}
          _0="You’ll have none left today."
          one="You’ll have # left today."
          other="You’ll have # left today."
        />
      )}
    </Notice>
  )
}
