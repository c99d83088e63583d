import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { read } from '@/api/createApi'
import type { CommandHeaders } from '@/command/useCommandWith'
import { TextField } from '@/ui/Field'
import { api } from './client'
import { DecisionDialog, type Sent } from './DecisionDialog'
import { useLabels } from './labels'
import { type SettingChange, settingOf } from './pairSettings'
import { PAIRS, showPair } from './queries'
import type { Pair } from './types'
import { useSnapshot } from './useSnapshot'

const TOUCHES = [PAIRS]

interface Props {
  pair: Pair
  onClose: () => void
}

function change(pair: Pair, body: Sent<{ settings: Record<string, string> }>, headers: CommandHeaders) {
  return read(api.POST('/console/pairs/{id}', { params: { path: { id: pair.id } }, body, headers }))
}

export function TradingDialog({ pair: current, onClose }: Props) {
  const { t } = useLingui()
  const { data: pair, snapshot } = useSnapshot(current)
  const now = settingOf(pair, 'trading') === 'on'
  // What the dialog was opened for, whatever another officer does meanwhile.
  const [on] = useState(!now)
  const name = `${pair.base}/${pair.quote}`
  return (
    <DecisionDialog
      title={on ? t`Turn on ${name}` : t`Turn off ${name}`}
      about={{ version: pair.version, snapshot }}
      moot={
        on !== now
          ? ''
          : on
            ? t`${name} is already turned on. The audit log shows who did it.`
            : t`${name} is already turned off. The audit log shows who did it.`
      }
      confirm={on ? t`Turn on` : t`Turn off`}
      dangerous={!on}
      effects={
        on ? (
          <Trans>Users can publish ads and place orders on {name} again at once.</Trans>
        ) : (
          <Trans>
            New ads and new orders on {name} are refused at once. Open orders continue, and ads stay with
            their escrow.
          </Trans>
        )
      }
      touches={TOUCHES}
      show={showPair}
      input={{ settings: { trading: on ? 'on' : 'off' } }}
      run={(body, headers) => change(pair, body, headers)}
      onClose={onClose}
    />
  )
}

interface SettingsProps extends Props {
  changes: readonly SettingChange[]
  done: () => void
}

export function SettingsDialog({ pair: currentPair, changes: current, done, onClose }: SettingsProps) {
  const { t } = useLingui()
  const labels = useLabels()
  const { data: pair, snapshot } = useSnapshot(currentPair)
  const name = `${pair.base}/${pair.quote}`
  // Stays as it is if another officer meanwhile gives a setting the same value.
  const [changes] = useState(current)
  return (
    <DecisionDialog
      title={t`Change the settings of ${name}`}
      about={{ version: pair.version, snapshot }}
      confirm={t`Change settings`}
      effects={
        <Trans>
          All new ads and new orders use the new settings at once, also orders on existing ads. Existing
          orders keep their terms; existing ads keep their price and windows.
        </Trans>
      }
      touches={TOUCHES}
      show={showPair}
      input={{ settings: Object.fromEntries(changes.map((one) => [one.name, one.after])) }}
      run={(body, headers) => change(pair, body, headers)}
      done={done}
      onClose={onClose}
    >
      <table className="w-full text-sm">
        <thead>
          <tr className="text-left text-muted">
            <th scope="col" className="py-1 font-medium">
              <Trans>Setting</Trans>
            </th>
            <th scope="col" className="py-1 text-right font-medium">
              <Trans>Now</Trans>
            </th>
            <th scope="col" className="py-1 text-right font-medium">
              <Trans>New</Trans>
            </th>
          </tr>
        </thead>
        <tbody>
          {changes.map((one) => (
            <tr key={one.name}>
              <td className="py-1">{labels.setting(one.name)}</td>
              <td className="py-1 text-right text-muted">{settingOf(pair, one.name)}</td>
              <td className="py-1 text-right font-semibold">{one.after}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </DecisionDialog>
  )
}

export function ReferenceDialog({ pair: current, onClose }: Props) {
  const { t } = useLingui()
  const { data: pair, snapshot } = useSnapshot(current)
  const [price, setPrice] = useState('')
  const { base, quote } = pair
  return (
    <DecisionDialog
      title={t`Set the reference price of ${base}/${quote}`}
      about={{ version: pair.referenceVersion, snapshot }}
      confirm={t`Set price`}
      effects={
        <Trans>
          The price band of new ads and orders is computed from this price at once. It applies until the
          trades of a day determine a new one.
        </Trans>
      }
      problem={/^\d+(?:\.\d+)?$/.test(price.trim()) ? '' : t`Enter a price.`}
      touches={TOUCHES}
      show={showPair}
      input={{ price: price.trim() }}
      run={(body, headers) =>
        read(api.POST('/console/pairs/{id}/reference', { params: { path: { id: pair.id } }, body, headers }))
      }
      onClose={onClose}
    >
      <TextField
        label={t`Price of 1 ${base}`}
        inputMode="decimal"
        value={price}
        onChange={setPrice}
        suffix={quote}
        hint={pair.referencePrice === null ? '' : t`Now ${pair.referencePrice}`}
        autoFocus
      />
    </DecisionDialog>
  )
}
