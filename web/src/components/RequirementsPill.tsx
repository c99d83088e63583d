import { Trans } from '@lingui/react/macro'
import { Lock } from 'lucide-react'
import type { TakerRequirements } from '@/api/types'
import { Pill } from '@/ui/Badge'

/** Says in a list that not everyone can order from an ad. The ad itself says who can. */
export function RequirementsPill({ of }: { of: { takerRequirements: TakerRequirements } }) {
  const { completedOrders, advancedVerification, region } = of.takerRequirements
  if (!completedOrders && !advancedVerification && !region) return null
  return (
    <Pill>
      <Lock size={12} aria-hidden="true" />
      <Trans>Requirements</Trans>
    </Pill>
  )
}
