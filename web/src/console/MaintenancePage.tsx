import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { CalendarClock } from 'lucide-react'
import { useState } from 'react'
import { read } from '@/api/createApi'
import { useFormats } from '@/i18n/format'
import { serverNow } from '@/lib/clock'
import { Pill } from '@/ui/Badge'
import { Button } from '@/ui/Button'
import { TextField } from '@/ui/Field'
import { EmptyState } from '@/ui/State'
import { api } from './client'
import { DecisionDialog } from './DecisionDialog'
import { fromLocalInput, toLocalInput } from './localTime'
import { Loaded, Page } from './Page'
import { MAINTENANCE, showMaintenance } from './queries'
import type { Maintenance } from './types'
import { useSnapshot } from './useSnapshot'

const HOUR_MS = 3_600_000

/** Current and planned maintenance. */
export function MaintenancePage() {
  const state = useQuery({ queryKey: MAINTENANCE, queryFn: () => read(api.GET('/console/maintenance')) })
  return <Loaded query={state}>{(loaded) => <Plan state={loaded} />}</Loaded>
}

function Plan({ state }: { state: Maintenance }) {
  const { time } = useFormats()
  const [open, setOpen] = useState<'plan' | 'end' | null>(null)
  const planned = state.closings.length > 0
  return (
    <Page
      title={<Trans>Maintenance</Trans>}
      actions={
        <>
          {planned ? (
            <Button tone="plain" size="small" onClick={() => setOpen('end')}>
              {state.closed ? <Trans>Open the platform</Trans> : <Trans>Cancel the plan</Trans>}
            </Button>
          ) : null}
          <Button size="small" onClick={() => setOpen('plan')}>
            {planned ? <Trans>Replace the plan</Trans> : <Trans>Plan maintenance</Trans>}
          </Button>
        </>
      }
    >
      {planned ? (
        <ul className="flex flex-col gap-3">
          {state.closings.map((closing, index) => (
            <li
              key={closing.from}
              className="flex flex-wrap items-center justify-between gap-4 rounded-2xl bg-surface p-5"
            >
              <span className="font-semibold">
                <Trans>
                  {time(closing.from)} to {time(closing.until)}
                </Trans>
              </span>
              {state.closed && index === 0 ? (
                <Pill tone="danger">
                  <Trans>The platform is closed</Trans>
                </Pill>
              ) : (
                <Pill tone="info">
                  <Trans>Planned</Trans>
                </Pill>
              )}
            </li>
          ))}
        </ul>
      ) : (
        <EmptyState
          icon={CalendarClock}
          title={<Trans>No maintenance is planned</Trans>}
          text={<Trans>The platform is open.</Trans>}
        />
      )}
      {open === 'plan' ? <PlanDialog state={state} onClose={() => setOpen(null)} /> : null}
      {open === 'end' ? <EndDialog state={state} onClose={() => setOpen(null)} /> : null}
    </Page>
  )
}

interface Props {
  state: Maintenance
  onClose: () => void
}

function PlanDialog({ state: current, onClose }: Props) {
  const { t } = useLingui()
  const { data: state, snapshot } = useSnapshot(current)
  const { time } = useFormats()
  const [began] = useState(serverNow)
  const [from, setFrom] = useState(() => toLocalInput(began + HOUR_MS))
  const [until, setUntil] = useState(() => toLocalInput(began + 2 * HOUR_MS))
  const [start, end] = [fromLocalInput(from), fromLocalInput(until)]
  const fits = start !== null && end !== null && Date.parse(end) > Math.max(Date.parse(start), began)
  const [startText, endText] = [start === null ? '' : time(start), end === null ? '' : time(end)]
  return (
    <DecisionDialog
      title={t`Plan maintenance`}
      confirm={t`Close the platform`}
      dangerous
      effects={
        fits ? (
          <Trans>
            From {startText} to {endText}, every call of a user is refused and all deadlines wait; afterwards
            each deadline is extended by the time lost. An earlier plan is replaced.
          </Trans>
        ) : (
          <Trans>The end must be after the beginning and in the future.</Trans>
        )
      }
      problem={fits ? '' : t`Choose a beginning and a later end.`}
      touches={[MAINTENANCE]}
      show={showMaintenance}
      about={{ version: state.version, snapshot }}
      input={{ from: start ?? '', until: end ?? '' }}
      run={(body, headers) => read(api.POST('/console/maintenance', { body, headers }))}
      onClose={onClose}
    >
      <div className="grid grid-cols-1 gap-x-4 sm:grid-cols-2">
        <TextField label={t`From`} type="datetime-local" value={from} onChange={setFrom} autoFocus />
        <TextField label={t`Until`} type="datetime-local" value={until} onChange={setUntil} />
      </div>
    </DecisionDialog>
  )
}

function EndDialog({ state: current, onClose }: Props) {
  const { t } = useLingui()
  const { data: state, snapshot } = useSnapshot(current)
  // What the dialog was opened for: a plan may take effect meanwhile.
  const [opens] = useState(state.closed)
  const moot =
    state.closings.length === 0
      ? t`No maintenance is planned.`
      : opens
        ? t`The platform is already open.`
        : t`The maintenance has begun.`
  return (
    <DecisionDialog
      title={opens ? t`Open the platform` : t`Cancel the plan`}
      moot={state.closings.length > 0 && state.closed === opens ? '' : moot}
      confirm={opens ? t`Open now` : t`Cancel the plan`}
      effects={
        opens ? (
          <Trans>
            Users can use the platform at once. Deadlines are extended only by the time it was closed.
          </Trans>
        ) : (
          <Trans>The platform stays open. Deadlines don’t change.</Trans>
        )
      }
      touches={[MAINTENANCE]}
      show={showMaintenance}
      about={{ version: state.version, snapshot }}
      input={{}}
      run={(body, headers) => read(api.POST('/console/maintenance/end', { body, headers }))}
      onClose={onClose}
    />
  )
}
