import { Trans, useLingui } from '@lingui/react/macro'
import { ArrowLeftRight, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import type { OrderableAdvert, UserInfo } from '@/api/types'
import { escrowedAsset } from '@/components/advertEscrow'
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
import { useFormats } from '@/i18n/format'
import { hrefTo } from '@/navigation/navigation'
import { AmountField } from '@/ui/AmountField'
import { Button } from '@/ui/Button'
import { Card, Line } from '@/ui/Card'
import { Gap } from '@/ui/Gap'
import { FindAnother } from './FindAnother'
import { OrderButton } from './OrderButton'
import { OrderingNotices, PaymentChoices } from './OrderingNotices'
import { orderAmounts } from './orderAmounts'
import { RefundFee } from './RefundFee'
import { useAmountText } from './useAmountText'
import { useOrdering } from './useOrdering'
import { WhatComes } from './WhatComes'

export function OrderForm({
  advert,
  user,
  wanted,
}: {
  advert: OrderableAdvert
  user: UserInfo
  /** The amount from the hall's filter. */
  wanted: string
}) {
  const { t } = useLingui()
  const { stats, ...advertiser } = advert.advertiser
  const { amount } = useFormats()
  const money = useMoney()
  const coins = useCoins()
  const buying = advert.side === 'SELL'
  const escrowed = escrowedAsset(advert)
  const fiat = advert.methodTypes.length > 0
  const onChain = advert.kind === 'MANUAL' && advert.chainType !== null
  const [unit, setUnit] = useState<'money' | 'quantity'>('money')
  const [typed, setTyped] = useState(wanted)
  const pair = coins.pair(advert.base, advert.quote)
  const scales = { baseScale: coins.scale(advert.base), quoteScale: coins.scale(advert.quote) }
  const ordering = useOrdering(
    advert,
    (price) => orderAmounts(typed, unit, { price, ...scales }),
    () => scrollTo({ top: 0 }),
  )
  const { price, deal, possible, preview, missing, tried } = ordering
  const whyAmount = useAmountText(ordering.amountRefusal, advert)
  const amountError = tried && ordering.wished === null ? t`Enter an amount.` : whyAmount

  const quantityText = possible === null ? '–' : `${amount(possible.quantity)} ${advert.base}`
  const ordered = possible === null ? advert.base : quantityText
  const moneyText = possible === null ? '–' : `${money(possible.money, advert.quote)} ${advert.quote}`
  const received =
    possible === null
      ? '–'
      : preview.data === undefined
        ? '…'
        : `${amount(preview.data.receives)} ${advert.base}`
  return (
    <div className="flex flex-col gap-4 pt-2">
      <MissingRequirements
        missing={missing}
        user={user}
        act="order"
        chainTypes={chainTypesOf(pair, advert.kind === 'AUTOMATIC')}
        tried={tried}
        next={hrefTo('/buySell', { id: advert.id, amount: unit === 'money' ? typed : '' })}
      />
      <div>
        <div className="flex items-center justify-between gap-3">
          <h2 className="min-w-0 font-semibold text-2xl [overflow-wrap:anywhere]">
            {buying ? <Trans>Buy {advert.base}</Trans> : <Trans>Sell {advert.base}</Trans>}
          </h2>
          <ShareAdvert id={advert.id} />
        </div>
        <p className="mt-1 flex items-baseline gap-1.5">
          <span className="font-semibold text-xl">{amount(price)}</span>
          <span className="text-muted">
            {advert.quote} / {advert.base}
          </span>
        </p>
      </div>
      <Card>
        <TraderLine person={advertiser} />
        <TraderRecord stats={stats} />
        {escrowed === null ? null : (
          <p className="mt-3 flex gap-2 text-muted text-sm leading-relaxed">
            <ShieldCheck size={17} className="mt-0.5 shrink-0 text-brand" aria-hidden="true" />
            <span className="min-w-0 [overflow-wrap:anywhere]">
              {buying ? (
                <Trans>
                  {amount(advert.remaining)} {advert.base} for this ad is already in on-chain escrow.
                </Trans>
              ) : (
                <Trans>The {escrowed} that pays you is already in on-chain escrow.</Trans>
              )}
            </span>
          </p>
        )}
        <AdvertOptions of={advert} />
      </Card>
      <Card>
        <AmountField
          label={
            unit === 'money'
              ? buying
                ? t`You pay`
                : t`You receive`
              : buying
                ? t({ message: 'You buy', context: 'field' })
                : t({ message: 'You sell', context: 'field' })
          }
          value={typed}
          onChange={setTyped}
          unit={unit === 'money' ? advert.quote : advert.base}
          decimals={unit === 'money' ? scales.quoteScale : scales.baseScale}
          integerDigits={12}
          error={amountError}
          hint={
            <Trans>
              {money(advert.orderMin, advert.quote)} – {money(advert.orderMax, advert.quote)} {advert.quote}
            </Trans>
          }
          aside={
            <button
              type="button"
              className="-my-2 flex min-h-11 items-center gap-1.5 font-medium text-brand"
              onClick={() => {
                setTyped(deal === null ? '' : unit === 'money' ? deal.quantity : deal.money)
                setUnit(unit === 'money' ? 'quantity' : 'money')
              }}
            >
              <ArrowLeftRight size={15} aria-hidden="true" />
              {unit === 'money' ? <Trans>In {advert.base}</Trans> : <Trans>In {advert.quote}</Trans>}
            </button>
          }
          action={
            <Button
              tone="quiet"
              size="small"
              onClick={() => {
                setUnit('money')
                setTyped(advert.orderMax)
              }}
            >
              <Trans>Max</Trans>
            </Button>
          }
        />
        <FindAnother advert={advert} ordering={ordering} amount={typed} unit={unit} />
        {fiat ? (
          <div className="mt-1 flex flex-wrap items-center justify-between gap-x-4 gap-y-1 pb-3">
            <p className="text-muted text-sm">
              {buying ? <Trans>You pay with</Trans> : <Trans>The buyer can pay with</Trans>}
            </p>
            <MethodLabels types={advert.methodTypes} />
          </div>
        ) : onChain ? (
          <div className="mt-1 pb-3">
            <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
              <p className="text-muted text-sm">
                <Trans>You pay to</Trans>
              </p>
              <PaymentLabels advert={advert} />
            </div>
            <p className="mt-1 text-sm text-warn">
              <Trans>Pay on this chain only. Anything sent on another chain is lost.</Trans>
            </p>
          </div>
        ) : null}
        <dl className="mt-2 border-line border-t pt-2">
          <Line label={buying ? t`You pay` : t`You send`}>{buying ? moneyText : quantityText}</Line>
          {!buying ? (
            <Line label={t`Fee`}>
              <Trans>Paid by the buyer</Trans>
            </Line>
          ) : possible === null ? null : (
            <Line label={t`Fee`}>
              {preview.data === undefined ? '…' : `${amount(preview.data.fee)} ${advert.base}`}
            </Line>
          )}
          <Line label={t`You receive`} strong>
            {buying ? received : moneyText}
          </Line>
        </dl>
      </Card>
      <PaymentChoices advert={advert} amount={unit === 'money' ? typed : ''} ordering={ordering} />
      <p className="text-muted text-sm leading-relaxed">
        <WhatComes advert={advert} />
        <Gap />
        <RefundFee advert={advert} />
      </p>
      <OrderingNotices advert={advert} ordering={ordering} />
      <OrderButton nav advert={advert} ordering={ordering}>
        {buying ? <Trans>Buy {ordered}</Trans> : <Trans>Sell {ordered}</Trans>}
      </OrderButton>
    </div>
  )
}
