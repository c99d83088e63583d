import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { coinConfig, ownBalance } from '@/api/queries'
import type { Balance, CoinConfig } from '@/api/types'
import { QueryError } from '@/command/QueryError'
import { StaleNotice } from '@/command/StaleNotice'
import { AssetLines } from '@/components/AssetLines'
import { ChainRow } from '@/components/ChainRow'
import { WithdrawCondition } from '@/components/ending/WithdrawCondition'
import { AppLink } from '@/navigation/navigation'
import { Card, CardTitle, Line, Notice } from '@/ui/Card'
import { Gap } from '@/ui/Gap'
import { QrCode } from '@/ui/QrCode'
import { Skeleton } from '@/ui/Skeleton'
import { AcceptedCoins } from './AcceptedCoins'
import { ArrivingDeposits } from './ArrivingDeposits'
import { OpenRequests } from './OpenRequests'

/** Where to send coins, what is accepted there, and what becomes of it. */
export default function RechargePage() {
  const balance = useQuery(ownBalance)
  const config = useQuery(coinConfig)
  const failed = [balance, config].find((query) => query.isError && query.data === undefined)
  if (failed !== undefined) return <QueryError error={failed.error} retry={() => void failed.refetch()} />
  if (balance.data === undefined || config.data === undefined) {
    return (
      <div className="flex flex-col gap-4 pt-2">
        <Skeleton className="h-96 w-full rounded-3xl" />
        <Skeleton className="h-44 w-full rounded-3xl" />
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-4 pt-2">
      <StaleNotice query={balance} />
      <Address address={balance.data.custodyAddress} config={config.data} />
      <OpenRequests config={config.data} />
      <ArrivingDeposits />
      <Temporary balance={balance.data} />
      <AcceptedCoins config={config.data} />
    </div>
  )
}

function Address({ address, config: { escrowChain } }: { address: string; config: CoinConfig }) {
  const { t } = useLingui()
  const chain = escrowChain?.name ?? ''
  return (
    <Card>
      <CardTitle>
        <Trans>Your escrow address</Trans>
      </CardTitle>
      <Notice tone="warn">
        <Trans>
          Send only what is listed below, on {chain}, from your own wallet. Anything else, or anything sent on
          another chain, may be lost.
        </Trans>
      </Notice>
      <div className="mt-4 flex justify-center">
        <QrCode
          text={escrowChain === null ? address : `ethereum:${address}@${escrowChain.chainId}`}
          label={t`QR code of your escrow address ${address}`}
          size={168}
        />
      </div>
      <p className="mt-3 break-all text-center font-medium text-sm">{address}</p>
      <dl className="mt-2">
        <ChainRow label={t`Address`} kind="address" value={address} />
        {escrowChain === null ? null : (
          <>
            <Line label={t`Chain`}>
              <Trans>
                {chain}, ID {escrowChain.chainId}
              </Trans>
            </Line>
            <Line label={t`Credited after`}>
              <Trans>{escrowChain.confirmations} confirmations</Trans>
            </Line>
          </>
        )}
      </dl>
    </Card>
  )
}

function Temporary({ balance }: { balance: Balance }) {
  return (
    <Card>
      <CardTitle
        aside={
          <AppLink
            to="/fundRecord"
            className="-my-2 inline-flex min-h-11 items-center font-medium text-brand text-sm"
          >
            <Trans>Records and withdrawals</Trans>
          </AppLink>
        }
      >
        <Trans>Your balances</Trans>
      </CardTitle>
      <AssetLines lines={balance.lines} />
      <p className="mt-1 text-muted text-sm leading-relaxed">
        <Trans>What no ad or order waits for becomes temporary balance.</Trans>
        <Gap />
        <WithdrawCondition />
      </p>
    </Card>
  )
}
