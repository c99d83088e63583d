import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { ShieldCheck } from 'lucide-react'
import { useRef } from 'react'
import { nftName } from '@/api/nftName'
import type { Nft } from '@/api/nfts'
import type { HallAdvert, OrderableAdvert, UserInfo } from '@/api/types'
import { ChainText } from '@/components/ChainRow'
import { MethodLabels } from '@/components/MethodLabels'
import { PaymentLabels } from '@/components/PaymentLabels'
import { ShareAdvert } from '@/components/ShareAdvert'
import { TraderLine } from '@/components/TraderLine'
import { AdvertOptions } from '@/components/trading/AdvertOptions'
import { chainTypesOf } from '@/components/trading/chainTypesOf'
import { MissingRequirements } from '@/components/trading/MissingRequirements'
import { TraderRecord } from '@/components/trading/TraderRecord'
import { useCoins } from '@/components/useCoins'
import { useMoney } from '@/components/useMoney'
import { hrefTo } from '@/navigation/navigation'
import { Card, CardTitle, Line } from '@/ui/Card'
import { Problem } from '@/ui/Problem'
import { OrderButton } from './OrderButton'
import { OrderingNotices, PaymentChoices } from './OrderingNotices'
import { orderAmounts } from './orderAmounts'
import { useOrdering } from './useOrdering'

/** Buys an NFT from an ad. There is no amount to choose: an order takes the whole NFT. */
export function NftOrderForm({ advert, nft, user }: { advert: OrderableAdvert; nft: Nft; user: UserInfo }) {
  const { t } = useLingui()
  const money = useMoney()
  const coins = useCoins()
  const lacking = useRef<HTMLDivElement>(null)
  const quoteScale = coins.scale(advert.quote)
  const ordering = useOrdering(
    advert,
    (price) => orderAmounts('1', 'quantity', { price, baseScale: 0, quoteScale }),
    () => lacking.current?.scrollIntoView({ block: 'center' }),
  )
  const { stats, ...advertiser } = advert.advertiser
  const price = `${money(ordering.price, advert.quote)} ${advert.quote}`
  return (
    <>
      <Card>
        <div className="flex items-center justify-between gap-3">
          <CardTitle>
            <Trans>The seller</Trans>
          </CardTitle>
          <ShareAdvert id={advert.id} />
        </div>
        <TraderLine person={advertiser} />
        <TraderRecord stats={stats} />
        <p className="mt-3 flex gap-2 text-muted text-sm leading-relaxed">
          <ShieldCheck size={17} className="mt-0.5 shrink-0 text-brand" aria-hidden="true" />
          <Trans>The NFT is already in on-chain escrow.</Trans>
        </p>
        <AdvertOptions of={advert} />
      </Card>
      <div ref={lacking} className="empty:hidden">
        <MissingRequirements
          missing={ordering.missing}
          user={user}
          act="order"
          chainTypes={chainTypesOf(coins.pair(advert.base, advert.quote), advert.kind === 'AUTOMATIC')}
          tried={ordering.tried}
          next={hrefTo('/nft/purchaseOrder', { adId: advert.id })}
        />
      </div>
      <Card>
        <dl>
          <Line label={t`You pay`} strong>
            {price}
          </Line>
          {advert.methodTypes.length > 0 ? (
            <Line label={t`You pay with`}>
              <MethodLabels types={advert.methodTypes} />
            </Line>
          ) : advert.kind === 'MANUAL' ? (
            <Line label={t`You pay to`}>
              <PaymentLabels advert={advert} />
            </Line>
          ) : null}
          <Line label={t`Fee`}>
            <Trans>Prepaid by the seller</Trans>
          </Line>
          <Line label={t`You receive`} strong>
            {nftName(nft)}
          </Line>
          <Line label={t`At your bound address`}>
            {user.boundAddress === null ? '–' : <ChainText kind="address" value={user.boundAddress} />}
          </Line>
        </dl>
      </Card>
      {ordering.amountRefusal === null ? null : (
        <Problem>
          <Trans>This NFT isn’t for sale right now.</Trans>
        </Problem>
      )}
      <PaymentChoices advert={advert} amount="" ordering={ordering} />
      <p className="text-muted text-sm leading-relaxed">
        <WhatComesForNft advert={advert} />
      </p>
      <OrderingNotices advert={advert} ordering={ordering} />
      <OrderButton advert={advert} ordering={ordering}>
        <Trans>Buy for {price}</Trans>
      </OrderButton>
    </>
  )
}

/** What the user does after ordering, and when. */
function WhatComesForNft({ advert }: { advert: HallAdvert }) {
  const { windowMinutes } = advert
  return advert.kind === 'AUTOMATIC' ? (
    <Trans>
      Your order is accepted immediately. You then have{' '}
      <Plural value={windowMinutes} one="# minute" other="# minutes" /> to pay, and both sides settle in a
      single on-chain transaction: you get the NFT, whole, and the seller gets your payment.
    </Trans>
  ) : (
    <Trans>
      Once the seller accepts, you have <Plural value={windowMinutes} one="# minute" other="# minutes" /> to
      pay. The NFT is sent, whole, to your own address once the seller confirms your payment.
    </Trans>
  )
}
