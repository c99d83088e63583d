import { Trans, useLingui } from '@lingui/react/macro'
import { Switch } from '@/ui/Switch'
import { useOnline } from './useOnline'

/** The switch that takes the user online or offline, with all of their ads. */
export function OnlineSwitch() {
  const { t } = useLingui()
  const { online: known, busy, setOnline } = useOnline()
  const online = known === true
  return (
    <div className="flex items-center justify-between gap-4 rounded-3xl bg-surface px-5 py-3.5">
      <span>
        <span className="block font-semibold">
          {online ? <Trans>Taking orders</Trans> : <Trans>Not taking orders</Trans>}
        </span>
        <span className="block text-muted text-sm">
          {online ? (
            <Trans>Your online ads are shown in the trading hall.</Trans>
          ) : (
            <Trans>Your ads are hidden. Active orders continue.</Trans>
          )}
        </span>
      </span>
      <Switch on={online} busy={busy || known === undefined} label={t`Take orders`} onChange={setOnline} />
    </div>
  )
}
