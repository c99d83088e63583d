import { Trans } from '@lingui/react/macro'
import { Store } from 'lucide-react'
import { useErrorText } from '@/command/useErrorText'
import { AppLink } from '@/navigation/navigation'
import { buttonClass } from '@/ui/Button'
import { StateView } from '@/ui/State'

/** Codes of unavailable ads: ended or unknown, owner not taking orders, part of the escrow missing. */
export const GONE = new Set(['5000', '5010', '5044'])

/** Explains that this ad takes no orders, which is not an error, and links to other ads. */
export function AdvertUnavailable({
  error,
  id = '',
}: {
  error: unknown
  /** The ad, if others of its pair can be searched for; empty for an NFT, which is one of its kind. */
  id?: string
}) {
  const why = useErrorText(error)
  return (
    <StateView
      live="status"
      icon={Store}
      title={<Trans>This ad isn’t available</Trans>}
      text={why}
      action={
        <div className="flex flex-col items-center gap-3">
          {id === '' ? null : (
            <AppLink to="/adMatching" query={{ id }} className={buttonClass('brand', 'normal', false)}>
              <Trans>Find another ad</Trans>
            </AppLink>
          )}
          <AppLink to="/" className={buttonClass(id === '' ? 'brand' : 'quiet', 'normal', false)}>
            <Trans>Go to trading hall</Trans>
          </AppLink>
        </div>
      }
    />
  )
}
