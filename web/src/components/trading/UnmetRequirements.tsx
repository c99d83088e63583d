import { Plural, Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { OrderableAdvert, TakerRequirement } from '@/api/types'
import { useRegionName } from '@/components/useRegionName'
import { Notice } from '@/ui/Card'

/** Says which requirements of the advertiser the user does not meet. */
export function UnmetRequirements({ advert }: { advert: OrderableAdvert }) {
  const regionName = useRegionName()
  const { completedOrders, region } = advert.takerRequirements
  if (advert.unmet.length === 0) return null
  const texts: Record<TakerRequirement, ReactNode> = {
    COMPLETED_ORDERS: (
      <Plural
        value={completedOrders ?? 0}
        one="At least # order completed in the last 30 days"
        other="At least # orders completed in the last 30 days"
      />
    ),
    ADVANCED_VERIFICATION: <Trans>Advanced verification in the pass app</Trans>,
    REGION: <Trans>Your region must be {region == null ? '–' : regionName(region)}</Trans>,
  }
  return (
    <Notice tone="warn">
      <p className="font-semibold">
        <Trans>You can’t order from this ad. You don’t meet what the advertiser requires:</Trans>
      </p>
      <ul className="mt-1 list-disc pl-5">
        {advert.unmet.map((one) => (
          <li key={one}>{texts[one]}</li>
        ))}
      </ul>
    </Notice>
  )
}
