import { Trans } from '@lingui/react/macro'
import { Unplug } from 'lucide-react'
import { Button } from '@/ui/Button'
import { StateView } from '@/ui/State'

/** Shown when a page fails to render. It first says that money is not affected. */
export function CrashScreen() {
  return (
    <StateView
      live="alert"
      icon={Unplug}
      title={<Trans>Something went wrong on this page</Trans>}
      text={<Trans>Your orders and coins aren’t affected. Reloading the page usually helps.</Trans>}
      action={
        <Button tone="plain" onClick={() => location.reload()}>
          <Trans>Reload</Trans>
        </Button>
      }
    />
  )
}
