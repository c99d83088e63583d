import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { read } from '@/api/createApi'
import type { CommandHeaders } from '@/command/useCommandWith'
import { TextField } from '@/ui/Field'
import { api } from './client'
import { DecisionDialog } from './DecisionDialog'
import { useLabels } from './labels'
import type { SettingChange } from './pairSettings'
import type { Pair } from './types'

const TOUCHES = [['pairs']]

interface Props {
  pair: Pair
  onClose: () => void
}

function change(pair: Pair, settings: Record<string, string>, reason: string, headers: CommandHeaders) {
  return read(
    api.POST('/ops/pairs/{id}', {
      params: { path: { id: pair.id } },
      body: { settings, version: pair.version, reason },
      headers,
    }),
  )
}

export function TradingDialog({ pair, on, onClose }: Props & { on: boolean }) {
  const { t } = useLingui()
  const name = `${pair.base}/${pair.quote}`
  return (
    <DecisionDialog
      title={on ? t`Turn on ${name}` : t`Turn off ${name}`}
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
      run={(reason, headers) => change(pair, { trading: on ? 'on' : 'off' }, reason, headers)}
      onClose={onClose}
    />
  )
}

export function SettingsDialog({ pair, changes, onClose }: Props & { changes: readonly SettingChange[] }) {
  const { t } = useLingui()
  const labels = useLabels()
  const name = `${pair.base}/${pair.quote}`
  return (
    <DecisionDialog
      title={t`Change the settings of ${name}`}
      confirm={t`Change settings`}
      effects={
        <Trans>
          All new ads and new orders use the new settings at once, also orders on existing ads. Existing
          orders keep their terms; existing ads keep their price and windows.
        </Trans>
      }
      touches={TOUCHES}
      run={(reason, headers) =>
        change(pair, Object.fromEntries(changes.map((one) => [one.name, one.after])), reason, headers)
      }
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
              <td className="py-1 text-right text-muted">{one.before}</td>
              <td className="py-1 text-right font-semibold">{one.after}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </DecisionDialog>
  )
}

export function ReferenceDialog({ pair, onClose }: Props) {
  const { t } = useLingui()
  const [price, setPrice] = useState('')
  const { base, quote } = pair
  return (
    <DecisionDialog
      title={t`Set the reference price of ${base}/${quote}`}
      confirm={t`Set price`}
      effects={
        <Trans>
          The price band of new ads and orders is computed from this price at once. It applies until the
          trades of a day determine a new one.
        </Trans>
      }
      problem={/^\d+(?:\.\d+)?$/.test(price.trim()) ? '' : t`Enter a price.`}
      touches={TOUCHES}
      run={(reason, headers) =>
        read(
          api.POST('/ops/pairs/{id}/reference', {
            params: { path: { id: pair.id } },
            body: { price: price.trim(), version: pair.referenceVersion, reason },
            headers,
          }),
        )
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
