import { Trans, useLingui } from '@lingui/react/macro'
import { read } from '@/api/createApi'
import { useFormats } from '@/i18n/format'
import { Pill } from '@/ui/Badge'
import { Button } from '@/ui/Button'
import { CallLine } from './CallLine'
import { api } from './client'
import { DataTable } from './DataTable'
import { DecisionDialog } from './DecisionDialog'
import { InfoDialog } from './InfoDialog'
import { useLabels } from './labels'
import { Group } from './PayoutGroup'
import { PAYOUTS, showPayouts } from './queries'
import type { FailingLeg } from './types'
import { type Snapshot, useSnapshot } from './useSnapshot'

/** The legs of payouts that keep failing, each of which can be voided. */
export function FailingPayouts({
  failing,
  onVoid,
}: {
  failing: FailingLeg[]
  /** Called with the reference of a leg that the officer wants to void. */
  onVoid: (reference: FailingLeg['reference']) => void
}) {
  const { t } = useLingui()
  const { time } = useFormats()
  const { purpose } = useLabels()
  const state = (leg: FailingLeg) => {
    if (leg.toBeVoided) return <Pill tone="danger">{t`To be voided`}</Pill>
    return leg.voidedIfRefused ? <Pill tone="warn">{t`Voided if refused again`}</Pill> : null
  }
  return (
    <Group
      title={<Trans>Failing payouts</Trans>}
      text={
        <Trans>
          The worker keeps trying. A payout that its recipient rejects goes to the recipient’s own vault. Void
          a payout only if it can never succeed.
        </Trans>
      }
    >
      <DataTable
        label={t`Failing payouts`}
        rows={failing}
        rowKey={(leg) => leg.reference}
        columns={[
          { title: t`Reference`, cell: (leg) => leg.reference },
          { title: t`Purpose`, cell: (leg) => purpose(leg.purpose) },
          { title: t`Amount`, right: true, cell: (leg) => `${leg.amount} ${leg.asset}` },
          { title: t`Recipient`, cell: (leg) => <span className="break-all">{leg.recipient}</span> },
          { title: t`Failures`, right: true, cell: (leg) => leg.failures },
          { title: t`Since`, cell: (leg) => (leg.since === null ? '–' : time(leg.since)) },
          {
            title: t`State`,
            cell: (leg) => (
              <span className="flex items-center justify-end gap-3">
                {state(leg)}
                {leg.voidedIfRefused ? null : (
                  <Button size="small" tone="plain" onClick={() => onVoid(leg.reference)}>
                    <Trans>Void…</Trans>
                  </Button>
                )}
              </span>
            ),
          },
        ]}
      />
    </Group>
  )
}

/** Voids a leg, or says how to. It may have been paid or voided since the officer asked for it. */
export function VoidPayout({
  reference,
  failing,
  onClose,
}: {
  reference: FailingLeg['reference']
  failing: readonly FailingLeg[]
  onClose: () => void
}) {
  const { t } = useLingui()
  const { data: leg, snapshot } = useSnapshot(failing.find((one) => one.reference === reference))
  if (leg !== undefined && leg.voidCalls.length > 0) return <VoidCallsDialog leg={leg} onClose={onClose} />
  if (leg === undefined || leg.voidedIfRefused)
    return (
      <InfoDialog title={t`Void payout ${reference}`} onClose={onClose}>
        <p>
          <Trans>There’s nothing left to void: the payout was made, or another officer has voided it.</Trans>
        </p>
      </InfoDialog>
    )
  return <VoidDialog leg={leg} snapshot={snapshot} onClose={onClose} />
}

function useWhereFundsReturn() {
  const { t } = useLingui()
  const places: Record<string, string> = {
    release: t`The funds return to the order’s escrow, and the order goes to an appeal.`,
    refund: t`The funds return to the order’s escrow, and the order goes to an appeal.`,
    advert_return: t`A coin is then paid again under a new reference. An NFT stays in custody for the user.`,
    wrong_deposit: t`The payout is then made again under a new reference.`,
    withdrawal: t`A coin returns to the user’s temporary balance, an NFT to the user’s NFTs.`,
    treasury: t`The funds remain in the vault as earnings.`,
  }
  return (leg: FailingLeg) => places[leg.purpose] ?? ''
}

function VoidDialog({
  leg,
  snapshot,
  onClose,
}: {
  leg: FailingLeg
  snapshot: Snapshot
  onClose: () => void
}) {
  const { t } = useLingui()
  const where = useWhereFundsReturn()
  const { reference, amount, asset } = leg
  return (
    <DecisionDialog
      title={t`Void payout ${reference}`}
      about={{ version: leg.version, snapshot }}
      confirm={t`Try once more, then void`}
      dangerous
      effects={
        <>
          <Trans>
            The worker tries to pay {amount} {asset} once more, at once. If the payment succeeds, it’s final.
            If the recipient or the asset refuses it, the Escrow spends the reference, so that it can never be
            paid.
          </Trans>{' '}
          {where(leg)}
        </>
      }
      touches={[PAYOUTS]}
      show={showPayouts}
      input={{}}
      run={(body, headers) =>
        read(
          api.POST('/console/payouts/legs/{id}/void', {
            params: { path: { id: Number(reference) } },
            body,
            headers,
          }),
        )
      }
      onClose={onClose}
    />
  )
}

/** Shows the calls with which the Escrow’s administrator voids a payout. The worker’s key cannot void it. */
function VoidCallsDialog({ leg, onClose }: { leg: FailingLeg; onClose: () => void }) {
  const { t } = useLingui()
  const where = useWhereFundsReturn()
  return (
    <InfoDialog title={t`Void with the administrator key`} onClose={onClose}>
      <p>
        {leg.toBeVoided ? (
          <Trans>
            This payout must not be paid any more: the other payout of its pair was voided, or its funds were
            used elsewhere before a reorganization removed its void. Send this transaction with the Escrow’s
            administrator key.
          </Trans>
        ) : (
          <Trans>
            Both payouts of a pair are paid together or not at all, so only the Escrow’s administrator can
            void them. Send these transactions with the administrator key.
          </Trans>
        )}{' '}
        {where(leg)}
      </p>
      {leg.voidCalls.map((call) => (
        <section key={call.reference} className="flex flex-col gap-1 rounded-2xl bg-sunken p-4 text-sm">
          <h3 className="font-semibold">
            <Trans>Reference {call.reference}</Trans>
          </h3>
          <CallLine label={t`Contract`} value={call.to} />
          <CallLine label={t({ message: 'Data', context: 'of a transaction' })} value={call.data} />
        </section>
      ))}
    </InfoDialog>
  )
}
