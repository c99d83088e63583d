import { Trans } from '@lingui/react/macro'
import { Unplug } from 'lucide-react'
import { Button } from '@/ui/Button'
import { StateView } from '@/ui/State'

/** The page itself failed. Money does not depend on it, and that is the first thing to say. */
export function CrashScreen() {
  return (
    <StateView
      live="alert"
      icon={Unplug}
      title={<Trans>This page stopped working</Trans>}
      text={<Trans>Your orders and coins are not affected. Loading the page again usually helps.</Trans>}
      action={
        <Button tone="plain" onClick={() => location.reload()}>
          <Trans>Load again</Trans>
        </Button>
      }
    />
  )
}
