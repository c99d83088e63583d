import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { read } from '@/api/createApi'
import { useFormats } from '@/i18n/format'
import { Button } from '@/ui/Button'
import { Notice } from '@/ui/Card'
import { EmptyState } from '@/ui/State'
import { api } from './client'
import { DataTable } from './DataTable'
import { DecisionDialog } from './DecisionDialog'
import { FailingPayouts, VoidPayout } from './FailingPayouts'
import { InfoDialog } from './InfoDialog'
import { Loaded, Page } from './Page'
import { Group } from './PayoutGroup'
import { PAYOUTS, showPayouts } from './queries'
import { ConsoleLink } from './routing'
import type { FailingLeg, PayoutStop, Payouts } from './types'
import { UnlistedNfts } from './UnlistedNfts'
import { type Snapshot, useSnapshot } from './useSnapshot'
import { waiting } from './waiting'

/** Everything that keeps payouts from being paid. */
export function PayoutsPage() {
  const payouts = useQuery({ queryKey: PAYOUTS, queryFn: () => read(api.GET('/console/payouts')) })
  // Otherwise, the page could say that all payouts are running while the navigation counts stopped ones.
  const { refetch } = payouts
  const counted = useQuery(waiting).data?.payouts
  const before = useRef(counted)
  useEffect(() => {
    if (before.current !== undefined && before.current !== counted) void refetch()
    before.current = counted
  }, [counted, refetch])
  return (
    <Page
      title={<Trans>Payouts</Trans>}
      actions={
        <Button tone="plain" size="small" busy={payouts.isFetching} onClick={() => void payouts.refetch()}>
          <Trans>Refresh</Trans>
        </Button>
      }
    >
      <Loaded query={payouts}>{(loaded) => <Problems payouts={loaded} />}</Loaded>
      <UnlistedNfts />
    </Page>
  )
}

function Problems({ payouts }: { payouts: Payouts }) {
  const { t } = useLingui()
  const { time } = useFormats()
  const [resumed, setResumed] = useState<Pick<PayoutStop, 'assetId' | 'asset'> | null>(null)
  const [voided, setVoided] = useState<FailingLeg['reference'] | null>(null)
  const { stops, vaults, failing, uncredited } = payouts
  return (
    <>
      {stops.length + vaults.length + failing.length + uncredited.length === 0 ? (
        <EmptyState
          icon={CircleCheck}
          title={<Trans>All payouts are running</Trans>}
          text={<Trans>No payouts are stopped or failing, and all transfers are credited.</Trans>}
        />
      ) : null}
      {stops.length === 0 ? null : (
        <Group
          title={<Trans>Stopped coins</Trans>}
          text={
            <Trans>
              The ledger and the chain disagreed, or a final block was replaced. Payouts of the coin wait
              until an administrator resumes them.
            </Trans>
          }
        >
          {stops.map((stop) => (
            <div
              key={stop.assetId}
              className="flex flex-wrap items-start justify-between gap-4 rounded-2xl bg-surface p-5"
            >
              <div className="flex min-w-0 flex-col gap-1.5">
                <p className="font-semibold">
                  {stop.asset}{' '}
                  <span className="font-normal text-muted text-sm">
                    <Trans>since {time(stop.since)}</Trans>
                  </span>
                </p>
                <p className="[overflow-wrap:anywhere]">{stop.because}</p>
                {stop.againBecause === null || stop.againAt === null ? null : (
                  <p className="[overflow-wrap:anywhere]">
                    <Trans>
                      Again at {time(stop.againAt)}: {stop.againBecause}
                    </Trans>
                  </p>
                )}
              </div>
              <Button size="small" onClick={() => setResumed(stop)}>
                <Trans>Resume…</Trans>
              </Button>
            </div>
          ))}
        </Group>
      )}
      {vaults.length === 0 ? null : (
        <Group
          title={<Trans>Stopped vaults</Trans>}
          text={
            <Trans>
              These stops end by themselves: once the ledger accepts the data, or the debt is repaid.
            </Trans>
          }
        >
          <DataTable
            label={t`Stopped vaults`}
            rows={vaults}
            rowKey={(vault) => `${vault.address} ${vault.asset} ${vault.cause}`}
            columns={[
              { title: t`Coin`, cell: (vault) => vault.asset },
              {
                title: t`Vault`,
                cell: (vault) => (
                  <ConsoleLink to={`/console/users/${vault.userId}`}>{vault.address}</ConsoleLink>
                ),
              },
              {
                title: t`Cause`,
                cell: (vault) =>
                  vault.cause === 'debt' ? t`The owner owes coins` : t`The ledger is behind the chain`,
              },
              { title: t`Details`, cell: (vault) => vault.because },
              { title: t`Since`, cell: (vault) => time(vault.since) },
            ]}
          />
        </Group>
      )}
      {failing.length === 0 ? null : <FailingPayouts failing={failing} onVoid={setVoided} />}
      {uncredited.length === 0 ? null : (
        <Group
          title={<Trans>Uncredited transfers</Trans>}
          text={
            <Trans>
              The vault holds less than the token reported. They are credited once it holds the amount.
            </Trans>
          }
        >
          <DataTable
            label={t`Uncredited transfers`}
            rows={uncredited}
            rowKey={(one) => `${one.block} ${one.transaction} ${one.vault} ${one.amount}`}
            columns={[
              { title: t`Amount`, right: true, cell: (one) => `${one.amount} ${one.asset}` },
              {
                title: t`Vault`,
                cell: (one) => <ConsoleLink to={`/console/users/${one.userId}`}>{one.vault}</ConsoleLink>,
              },
              { title: t`Block`, right: true, cell: (one) => one.block },
              {
                title: t`Transaction`,
                cell: (one) => <span className="break-all">{one.transaction ?? '–'}</span>,
              },
            ]}
          />
        </Group>
      )}
      {resumed === null ? null : <Resume {...resumed} stops={stops} onClose={() => setResumed(null)} />}
      {voided === null ? null : (
        <VoidPayout reference={voided} failing={failing} onClose={() => setVoided(null)} />
      )}
    </>
  )
}

/** Resumes the payouts of a coin, unless another officer has done so since this one asked for it. */
function Resume({
  assetId,
  asset,
  stops,
  onClose,
}: Pick<PayoutStop, 'assetId' | 'asset'> & { stops: readonly PayoutStop[]; onClose: () => void }) {
  const { t } = useLingui()
  const { data: stop, snapshot } = useSnapshot(stops.find((one) => one.assetId === assetId))
  if (stop !== undefined) return <ResumeDialog stop={stop} snapshot={snapshot} onClose={onClose} />
  return (
    <InfoDialog title={t`Resume payouts of ${asset}`} onClose={onClose}>
      <p>
        <Trans>Payouts of {asset} are no longer stopped.</Trans>
      </p>
    </InfoDialog>
  )
}

function ResumeDialog({
  stop,
  snapshot,
  onClose,
}: {
  stop: PayoutStop
  snapshot: Snapshot
  onClose: () => void
}) {
  const { t } = useLingui()
  const { asset } = stop
  return (
    <DecisionDialog
      title={t`Resume payouts of ${asset}`}
      about={{ version: stop.version, snapshot }}
      confirm={t`Compare and resume`}
      effects={
        <Trans>
          First every vault is compared with the chain, which can take a while. Only if they agree, all
          waiting payouts of {asset} are sent at once.
        </Trans>
      }
      touches={[PAYOUTS]}
      show={showPayouts}
      input={{}}
      run={(body, headers) =>
        read(
          api.POST('/console/payouts/{id}/resume', { params: { path: { id: stop.assetId } }, body, headers }),
        )
      }
      onClose={onClose}
    >
      <Notice tone="warn">{stop.againBecause ?? stop.because}</Notice>
    </DecisionDialog>
  )
}
