import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { api, read } from '@/api/client'
import type { Prepayment } from '@/api/nfts'
import { coinConfig, keys, pollEvery } from '@/api/queries'
import type { Balance } from '@/api/types'
import { QueryError } from '@/command/QueryError'
import { SendToEscrow } from '@/components/DepositCard'
import { useFormats } from '@/i18n/format'
import { add, compare } from '@/lib/money'
import { Card, CardTitle, Line, Notice } from '@/ui/Card'
import { missingToPrepay } from './missingToPrepay'

/** What the seller of an NFT prepays, the balance that pays it, and how to recharge a balance that does not cover it. */
export function PrepaidCard({
  prepayment: { asset, fee, gas },
  payment,
  refused,
}: {
  prepayment: Prepayment
  /** What a recharge is for. */
  payment: string
  /** Whether the ad was refused because the balance does not cover it. */
  refused: boolean
}) {
  const { t } = useLingui()
  const { amount } = useFormats()
  const needed = add(fee, gas) ?? fee
  const lineOf = (data: Balance | undefined) => data?.lines.find((one) => one.asset === asset)
  const shortOf = (data: Balance | undefined) =>
    data === undefined ? null : missingToPrepay(needed, lineOf(data))
  const balance = useQuery({
    queryKey: keys.balance,
    queryFn: () => read(api.GET('/balance')),
    refetchInterval: (query) => (shortOf(query.state.data) === null ? false : pollEvery(5_000)(query)),
  })
  const { data } = balance
  const line = lineOf(data)
  const confirming = line?.confirming ?? '0'
  const short = shortOf(data)
  return (
    <>
      <Card>
        <CardTitle>
          <Trans>You prepay in {asset}</Trans>
        </CardTitle>
        <dl>
          <Line label={t`Fee for the sale`}>
            {amount(fee)} {asset}
          </Line>
          <Line label={t`Network fee`}>
            {amount(gas)} {asset}
          </Line>
          <Line label={t`Together`} strong>
            {amount(needed)} {asset}
          </Line>
          <Line label={t`Your temporary balance`}>
            {data === undefined ? '–' : `${amount(line?.temporary ?? '0')} ${asset}`}
          </Line>
          {compare(confirming, '0') === 1 ? (
            <Line label={t`Being confirmed`}>
              {amount(confirming)} {asset}
            </Line>
          ) : null}
        </dl>
        <p className="mt-1 text-muted text-sm leading-relaxed">
          <Trans>
            An NFT can’t be split, so its fee is taken from your temporary balance in {asset} when you create
            the ad. The network fee pays for the transaction that ends the ad: to the buyer, or back to you.
            The fee for the sale is only kept if the NFT is sold.
          </Trans>
        </p>
      </Card>
      {balance.isError && data === undefined ? (
        <QueryError error={balance.error} retry={() => void balance.refetch()} />
      ) : null}
      {data === undefined || short === null ? null : (
        <Recharge
          asset={asset}
          needed={needed}
          missing={short.now}
          toSend={short.toSend}
          address={data.custodyAddress}
          payment={payment}
          refused={refused}
        />
      )}
    </>
  )
}

/** How to recharge a balance that is too small. What is being confirmed need not be sent again. */
function Recharge({
  asset,
  needed,
  missing,
  toSend,
  address,
  payment,
  refused,
}: {
  asset: string
  needed: string
  missing: string
  toSend: string
  address: string
  payment: string
  refused: boolean
}) {
  const { amount } = useFormats()
  const coin = useQuery(coinConfig).data?.coins.find((one) => one.enShort === asset)
  const top = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The button that was refused is below the screen's fold.
    if (refused) top.current?.scrollIntoView({ block: 'center' })
  }, [refused])
  return (
    <>
      <div ref={top} role={refused ? 'alert' : undefined}>
        <Notice tone={refused ? 'danger' : 'warn'}>
          <Trans>
            Recharge insufficient: {amount(missing)} {asset} is missing.
          </Trans>{' '}
          {compare(toSend, '0') === 1 ? (
            <Trans>Send it to your escrow address. You can create the ad once it’s confirmed on-chain.</Trans>
          ) : (
            <Trans>It has arrived and is being confirmed. You can create the ad in a moment.</Trans>
          )}
        </Notice>
      </div>
      {coin === undefined || coin.chainId === null || compare(toSend, '0') !== 1 ? null : (
        <SendToEscrow
          payment={payment}
          deposit={{
            asset,
            address,
            needed,
            shortfall: toSend,
            transfers: [],
            chainId: coin.chainId,
            contract: coin.contract,
            decimals: coin.decimals,
          }}
        />
      )}
    </>
  )
}
