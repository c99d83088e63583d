import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { read } from '@/api/createApi'
import { useFormats } from '@/i18n/format'
import { navigate } from '@/navigation/location'
import { Pill } from '@/ui/Badge'
import { Button } from '@/ui/Button'
import { Card, CardTitle, Line } from '@/ui/Card'
import { TextField } from '@/ui/Field'
import { EmptyState } from '@/ui/State'
import { api } from './client'
import { DataTable } from './DataTable'
import { useLabels } from './labels'
import { Loaded, Page } from './Page'
import { ReferenceDialog, SettingsDialog, TradingDialog } from './PairDecisions'
import { changedSettings, settingOf, unitOf } from './pairSettings'
import { PAIRS } from './queries'
import { ConsoleLink } from './routing'
import { useSendKey } from './shortcuts'
import type { Pair } from './types'

function usePairs() {
  return useQuery({ queryKey: PAIRS, queryFn: () => read(api.GET('/console/pairs')) })
}

/** All pairs. */
export function PairsPage() {
  const { t } = useLingui()
  const { percent } = useFormats()
  const pairs = usePairs()
  return (
    <Page title={<Trans>Pairs</Trans>}>
      <Loaded query={pairs}>
        {(all) => (
          <DataTable
            label={t`Pairs`}
            rows={all}
            rowKey={(pair) => String(pair.id)}
            onOpen={(pair) => navigate(`/console/pairs/${pair.id}`)}
            columns={[
              {
                title: t`Pair`,
                cell: (pair) => (
                  <ConsoleLink to={`/console/pairs/${pair.id}`}>
                    {pair.base}/{pair.quote}
                  </ConsoleLink>
                ),
              },
              { title: t`Trading`, cell: (pair) => <TradingPill pair={pair} /> },
              { title: t`Fee rate`, right: true, cell: (pair) => percent(settingOf(pair, 'fee_rate')) },
              {
                title: t`Order limits`,
                right: true,
                cell: (pair) =>
                  `${settingOf(pair, 'order_minimum')} – ${settingOf(pair, 'order_maximum')} ${pair.quote}`,
              },
              {
                title: t`Price band`,
                right: true,
                cell: (pair) => `±${percent(settingOf(pair, 'price_band'))}`,
              },
              { title: t`Reference price`, right: true, cell: (pair) => pair.referencePrice ?? '–' },
            ]}
          />
        )}
      </Loaded>
    </Page>
  )
}

function TradingPill({ pair }: { pair: Pair }) {
  return settingOf(pair, 'trading') === 'on' ? (
    <Pill tone="good">
      <Trans>On</Trans>
    </Pill>
  ) : (
    <Pill tone="danger">
      <Trans>Off</Trans>
    </Pill>
  )
}

/** One pair: its settings, its reference price, and whether it trades. */
export function PairPage({ id }: { id: string }) {
  const pairs = usePairs()
  return (
    <Loaded query={pairs}>
      {(all) => {
        const pair = all.find((one) => String(one.id) === id)
        return pair === undefined ? (
          <Page title={<Trans>Pairs</Trans>}>
            <EmptyState title={<Trans>There is no such pair</Trans>} />
          </Page>
        ) : (
          <PairDetails key={pair.id} pair={pair} />
        )
      }}
    </Loaded>
  )
}

type Decision = 'trading' | 'settings' | 'reference'

function PairDetails({ pair }: { pair: Pair }) {
  const { t } = useLingui()
  const { time } = useFormats()
  const labels = useLabels()
  // Only what the officer has entered, so that other settings show the changes of other officers.
  const [values, setValues] = useState<Record<string, string>>({})
  const [open, setOpen] = useState<Decision | null>(null)
  const name = `${pair.base}/${pair.quote}`
  const on = settingOf(pair, 'trading') === 'on'
  const changes = changedSettings(pair, values)
  const count = changes.length
  const close = () => setOpen(null)
  useSendKey(() => setOpen('settings'), open === null && count > 0)
  return (
    <Page
      title={
        <span className="flex items-center gap-3">
          {name} <TradingPill pair={pair} />
        </span>
      }
      actions={
        <>
          <Button tone="plain" size="small" onClick={() => setOpen('reference')}>
            <Trans>Set reference price</Trans>
          </Button>
          <Button tone={on ? 'danger' : 'brand'} size="small" onClick={() => setOpen('trading')}>
            {on ? <Trans>Turn off {name}</Trans> : <Trans>Turn on {name}</Trans>}
          </Button>
        </>
      }
    >
      <Card>
        <CardTitle>
          <Trans>Reference price</Trans>
        </CardTitle>
        <dl>
          <Line label={<Trans>Price</Trans>} strong>
            {pair.referencePrice === null ? '–' : `${pair.referencePrice} ${pair.quote}`}
          </Line>
          <Line label={<Trans>Last set by an officer</Trans>}>
            {pair.referenceSetBy === null || pair.referenceSetAt === null
              ? '–'
              : `${pair.referenceSetBy}, ${time(pair.referenceSetAt)}`}
          </Line>
        </dl>
      </Card>
      <Card>
        <CardTitle>
          <Trans>Settings</Trans>
        </CardTitle>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (count > 0) setOpen('settings')
          }}
        >
          <div className="grid grid-cols-1 gap-x-5 sm:grid-cols-2 lg:grid-cols-3">
            {pair.settings
              .filter((setting) => setting.name !== 'trading')
              .map((setting) => (
                <TextField
                  key={setting.name}
                  label={labels.setting(setting.name)}
                  value={values[setting.name] ?? setting.value}
                  onChange={(value) => setValues({ ...values, [setting.name]: value })}
                  suffix={unitOf(setting.name, pair, t`minutes`)}
                  hint={changes.some(({ name }) => name === setting.name) ? t`Now ${setting.value}` : ''}
                />
              ))}
          </div>
          <div className="flex items-center gap-3">
            <Button type="submit" size="small" disabled={count === 0}>
              <Trans>Review changes ({count})</Trans>
            </Button>
          </div>
        </form>
      </Card>
      {open === 'trading' ? <TradingDialog pair={pair} onClose={close} /> : null}
      {open === 'settings' ? (
        <SettingsDialog pair={pair} changes={changes} done={() => setValues({})} onClose={close} />
      ) : null}
      {open === 'reference' ? <ReferenceDialog pair={pair} onClose={close} /> : null}
    </Page>
  )
}
