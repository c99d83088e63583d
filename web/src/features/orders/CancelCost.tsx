import { Plural, Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { api, read } from '@/api/client'
import { keys } from '@/api/queries'
import type { OrderAction } from '@/api/types'
import { Notice } from '@/ui/Card'

/**
 * What a cancellation costs this person, as the function says that will charge it. `onlyIfAgreed`: it costs so much
 * when the other side agrees, and nothing before.
 */
export function CancelCost({
  action,
  onlyIfAgreed = false,
}: {
  action: OrderAction
  onlyIfAgreed?: boolean
}) {
  const times = useQuery({
    queryKey: [...keys.credit, 'times'],
    queryFn: () => read(api.GET('/c2c/deal/order/cancel/times')),
    enabled: action.usesFree,
  })
  const cost = action.creditCost
  if (cost > 0) {
    return (
      <Notice tone="danger">
        {onlyIfAgreed ? (
          <Plural
            value={cost}
            one="If the buyer agrees, this costs you # credit point."
            other="If the buyer agrees, this costs you # credit points."
          />
        ) : (
          <Plural value={cost} one="This costs you # credit point." other="This costs you # credit points." />
        )}{' '}
        <Trans>No free cancellation is left today.</Trans>
      </Notice>
    )
  }
  if (!action.usesFree) {
    return (
      <Notice tone="good">
        <Trans>This costs you nothing.</Trans>
      </Notice>
    )
  }
  const after = (times.data?.freeLeft ?? 1) - 1
  return (
    <Notice tone="good">
      {onlyIfAgreed ? (
        <Trans>If the buyer agrees, this uses up one of your free cancellations, and costs no credit.</Trans>
      ) : (
        <Trans>This uses up one of your free cancellations, and costs no credit.</Trans>
      )}{' '}
      {times.data === undefined ? null : (
        <Plural
          value={after}
          _0="After it none is left today."
          one="After it # is left today."
          other="After it # are left today."
        />
      )}
    </Notice>
  )
}
