import { Trans } from '@lingui/react/macro'
import { Compass } from 'lucide-react'
import { AppLink } from '@/navigation/navigation'
import { buttonClass } from '@/ui/Button'
import { StateView } from '@/ui/State'

export function NotFound() {
  return (
    <StateView
      icon={Compass}
      title={<Trans>Page not found</Trans>}
      text={<Trans>The link may be outdated or mistyped.</Trans>}
      action={
        <AppLink to="/" className={buttonClass('plain', 'normal', false)}>
          <Trans>Go to trading hall</Trans>
        </AppLink>
      }
    />
  )
}
