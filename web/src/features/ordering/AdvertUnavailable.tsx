import { Trans } from '@lingui/react/macro'
import { Store } from 'lucide-react'
import { useErrorText } from '@/command/useErrorText'
import { AppLink } from '@/navigation/navigation'
import { buttonClass } from '@/ui/Button'
import { StateView } from '@/ui/State'

/** Codes of unavailable ads: ended or unknown, owner not taking orders, part of the escrow missing. */
export const GONE = new Set(['5000', '5010', '5044'])

/** Explains that this ad takes no orders, which is not an error, and links to other ads. */
export function AdvertUnavailable({ error }: { error: unknown }) {
  const why = useErrorText(error)
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
