import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { currentUser } from '@/api/queries'
import { useSession } from '@/session/session'
import { Notice } from '@/ui/Card'
import { Switch } from '@/ui/Switch'
import { useOnline } from './useOnline'

/** The switch that takes the user online or offline, with all of their ads. */
export function OnlineSwitch() {
  const { t } = useLingui()
  const { online: known, busy, setOnline } = useOnline()
  const online = known === true
  const userId = useSession((state) => state.userId) ?? ''
  const missed = useQuery(currentUser(userId)).data?.offlineCause === 'MISSED_ACCEPTANCES'
  return (
    <>
      {missed && known === false ? (
        <Notice tone="warn">
          <Trans>
            Your ads went offline, because you left the orders of three takers in a row unanswered. Go online
            again when you can accept orders within minutes.
          </Trans>
        </Notice>
      ) : null}
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
    </>
  )
}
