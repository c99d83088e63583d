import { Trans } from '@lingui/react/macro'
import { Construction } from 'lucide-react'
import { AppLink } from '@/navigation/navigation'
import { buttonClass } from '@/ui/Button'
import { StateView } from '@/ui/State'

/** A screen that does not exist yet, with links to others. */
export function NotAvailable() {
  return (
    <StateView
      icon={Construction}
      title={<Trans>Not available yet</Trans>}
      text={<Trans>This feature isn’t available yet. Your coins and orders aren’t affected.</Trans>}
      action={
        <AppLink to="/" className={buttonClass('plain', 'normal', false)}>
          <Trans>Go to trading hall</Trans>
        </AppLink>
      }
    />
  )
}
