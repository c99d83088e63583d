import type { HallAdvert } from '@/api/types'
import { Pill } from '@/ui/Badge'
import { MethodLabels } from './MethodLabels'

/** How the seller of an ad is paid: with payment methods, or with coins on a chain. */
export function PaymentLabels({
  advert: { methodTypes, chainType },
}: {
  advert: Pick<HallAdvert, 'methodTypes' | 'chainType'>
}) {
  if (methodTypes.length > 0) return <MethodLabels types={methodTypes} />
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <MethodLabels types={['USDT']} />
      {chainType === null ? null : <Pill>{chainType}</Pill>}
    </div>
  )
}
