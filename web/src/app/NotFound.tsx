import { Trans } from '@lingui/react/macro'
import { Compass } from 'lucide-react'
import { AppLink } from '@/navigation/navigation'
import { buttonClass } from '@/ui/Button'
import { StateView } from '@/ui/State'

export function NotFound() {
  return (
    <StateView
      icon={Compass}
      title={<Trans>There is no such page</Trans>}
      text={<Trans>The address may be old or mistyped.</Trans>}
      action={
        <AppLink to="/" className={buttonClass('plain', 'normal', false)}>
          <Trans>To the trading hall</Trans>
        </AppLink>
      }
    />
  )
}
