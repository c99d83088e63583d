import { Trans } from '@lingui/react/macro'
import { Store } from 'lucide-react'
import { useExplained } from '@/command/useExplained'
import { AppLink } from '@/navigation/navigation'
import { buttonClass } from '@/ui/Button'
import { StateView } from '@/ui/State'

/** Nothing failed: this ad just takes no orders, and others do. */
export function GoneAdvert({ error }: { error: unknown }) {
  const why = useExplained(error)
  return (
    <StateView
      live="status"
      icon={Store}
      title={<Trans>This ad isn’t available</Trans>}
      text={why}
      action={
        <AppLink to="/" className={buttonClass('brand', 'normal', false)}>
          <Trans>Go to trading hall</Trans>
        </AppLink>
      }
    />
  )
}
