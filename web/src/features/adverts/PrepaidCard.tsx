import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { api, read } from '@/api/client'
import type { Prepaying } from '@/api/nfts'
import { coinConfig, keys, pollEvery } from '@/api/queries'
import { QueryError } from '@/command/QueryError'
import { SendToEscrow } from '@/components/DepositCard'
import { useFormats } from '@/i18n/format'
import { compare } from '@/lib/money'
import { Card, CardTitle, Line, Notice } from '@/ui/Card'
import { Gap } from '@/ui/Gap'
import { Skeleton } from '@/ui/Skeleton'

/** What the seller of an NFT prepays, the balance that pays it, and how to recharge a balance that does not cover it. */
export function PrepaidCard({
  base,
  quote,
  payment,
  refused,
}: {
  /** The codes of the pair. */
  base: string
  quote: string
  /** What a recharge is for. */
  payment: string
  /** Whether the ad was refused because the balance does not cover it. */
  refused: boolean
}) {
  const { t } = useLingui()
  const { amount } = useFormats()
  const query = useQuery({
    // It changes with the balance.
    queryKey: [...keys.balance, 'prepaying', base, quote],
    queryFn: () => read(api.GET('/c2c/advert/prepayment', { params: { query: { base, quote } } })),
    refetchInterval: (query) => (isShort(query.state.data) ? pollEvery(5_000)(query) : false),
  })
  const prepaying = query.data
  if (prepaying === undefined)
    return query.isError ? (
      <QueryError error={query.error} retry={() => void query.refetch()} />
    ) : (
      <Skeleton className="h-64 w-full rounded-3xl" />
    )
  if (prepaying === null) return null
  const { asset, fee, gas, needed, available, confirming } = prepaying
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
            {amount(available)} {asset}
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
      {isShort(prepaying) ? <Recharge prepaying={prepaying} payment={payment} refused={refused} /> : null}
    </>
  )
}

/** Returns whether the balance does not cover the prepayment now. */
function isShort(prepaying: Prepaying | null | undefined): boolean {
  return prepaying != null && compare(prepaying.shortfall, '0') === 1
}

/** How to recharge a balance that is too small. What is being confirmed need not be sent again. */
function Recharge({
  prepaying: { asset, needed, shortfall, toSend, address },
  payment,
  refused,
}: {
  prepaying: Prepaying
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
            Recharge insufficient: {amount(shortfall)} {asset} is missing.
          </Trans>
          <Gap />
          {compare(toSend, '0') === 1 && address === null ? (
            <Trans>
              Another ad of yours waits for its deposit, and a recharge would cancel it. Finish or cancel that
              ad first.
            </Trans>
          ) : compare(toSend, '0') === 1 ? (
            <Trans>Send it to your escrow address. You can create the ad once it’s confirmed on-chain.</Trans>
          ) : (
            <Trans>It has arrived and is being confirmed. You can create the ad in a moment.</Trans>
          )}
        </Notice>
      </div>
      {coin === undefined ||
      coin.chainId === null ||
      address === null ||
      compare(toSend, '0') !== 1 ? null : (
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
