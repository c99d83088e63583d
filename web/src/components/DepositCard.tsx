import { Trans, useLingui } from '@lingui/react/macro'
import type { Deposit } from '@/api/types'
import { useFormats } from '@/i18n/format'
import { compare } from '@/lib/money'
import { paymentUri } from '@/lib/wallet'
import { Card, CardTitle, Line } from '@/ui/Card'
import { CopyRow } from '@/ui/CopyButton'
import { Meter } from '@/ui/Meter'
import { QrCode } from '@/ui/QrCode'
import { ChainRow, ChainText } from './ChainRow'
import { WithdrawCondition } from './ending/WithdrawCondition'
import { type FundCommand, FundFromBalance } from './FundFromBalance'
import { type SentDeposit, WalletButtons } from './WalletButtons'

/** The amount and address of a deposit, and its progress: confirmed, confirming, missing, excess. */
export function DepositCard({
  payment,
  deposit,
  title,
  fund,
}: {
  /** The id of the ad or order. */
  payment: string
  deposit: Deposit
  title: React.ReactNode
  fund: FundCommand
}) {
  const { t } = useLingui()
  const { amount } = useFormats()
  const unit = deposit.asset
  const open = compare(deposit.shortfall, '0') === 1
  return (
    <>
      {open ? <SendToEscrow payment={payment} deposit={deposit} /> : null}
      {open && compare(deposit.balance, '0') === 1 ? <FundFromBalance deposit={deposit} fund={fund} /> : null}
      <Card>
        <CardTitle>{title}</CardTitle>
        <Meter
          label={t`Received so far`}
          needed={deposit.needed}
          received={deposit.received}
          confirming={deposit.confirming}
        />
        <dl className="mt-2">
          <Line label={t`Required`}>
            {amount(deposit.needed)} {unit}
          </Line>
          {compare(deposit.received, '0') === 1 ? (
            <Line label={t`Confirmed`}>
              <span className="text-brand">
                {amount(deposit.received)} {unit}
              </span>
            </Line>
          ) : null}
          {compare(deposit.confirming, '0') === 1 ? (
            <Line label={t`Being confirmed`}>
              {amount(deposit.confirming)} {unit}
            </Line>
          ) : null}
          {compare(deposit.excess, '0') === 1 ? (
            <Line label={t`Excess, added to temporary balance`}>
              {amount(deposit.excess)} {unit}
            </Line>
          ) : null}
        </dl>
        {compare(deposit.excess, '0') === 1 ? (
          <p className="pb-2 text-muted text-sm">
            <WithdrawCondition />
          </p>
        ) : null}
        {deposit.transfers.length === 0 ? null : (
          <ul className="mt-1 border-line border-t pt-2 text-sm">
            {deposit.transfers.map((transfer, index) => (
              <li key={transfer.hash ?? index} className="flex flex-wrap justify-between gap-x-3 py-1">
                <span>
                  +{amount(transfer.amount)} {unit}
                </span>
                {transfer.hash === null ? null : <ChainText kind="tx" value={transfer.hash} />}
                <span className="text-muted">
                  {deposit.confirmations !== null && transfer.confirmations < deposit.confirmations.needed ? (
                    <Trans>
                      {transfer.confirmations} of {deposit.confirmations.needed} confirmations
                    </Trans>
                  ) : (
                    <Trans>confirmed</Trans>
                  )}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </>
  )
}

/** Where to send how much: the address with its QR code, and the wallets of this browser. */
export function SendToEscrow({
  payment,
  deposit,
}: {
  /** What the transfer is for. */
  payment: string
  deposit: SentDeposit & Pick<Deposit, 'needed'>
}) {
  const { t } = useLingui()
  const { amount } = useFormats()
  const unit = deposit.asset
  return (
    <Card>
      <CardTitle>
        <Trans>Send to escrow</Trans>
      </CardTitle>
      <p className="mb-3 text-sm text-warn">
        <Trans>
          Send only {unit}, from your own wallet, on this chain. It can only be used for your trades or
          returned to your bound address.
        </Trans>
      </p>
      <div className="flex justify-center">
        <QrCode
          text={paymentUri(deposit, deposit.shortfall)}
          label={t`QR code: send ${amount(deposit.shortfall)} ${unit} to ${deposit.address}`}
          size={140}
        />
      </div>
      <dl className="mt-1">
        <CopyRow
          label={
            compare(deposit.shortfall, deposit.needed) === 0
              ? t({ message: 'Amount', context: 'of coins' })
              : t`Still missing`
          }
          value={deposit.shortfall}
          shown={`${amount(deposit.shortfall)} ${unit}`}
          strong
        />
        <ChainRow label={t`To`} kind="address" value={deposit.address} />
        <Line label={t`Chain`}>
          <Trans>MEC chain, ID {deposit.chainId}</Trans>
        </Line>
      </dl>
      <p className="mb-3 break-all text-center text-[0.7rem] text-muted">{deposit.address}</p>
      <WalletButtons payment={payment} deposit={deposit} />
    </Card>
  )
}
