import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { ArrowLeftRight, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { api, read } from '@/api/client'
import { isApiError, refusedFact } from '@/api/envelope'
import { keys } from '@/api/queries'
import type { HallAdvert, OrderableAdvert, UserInfo } from '@/api/types'
import { useCommand } from '@/command/useCommand'
import { escrowedAsset } from '@/components/advertEscrow'
import { MethodLabels } from '@/components/MethodLabels'
import { isWrongSecurityPassword, SecurityPasswordField } from '@/components/SecurityPasswordField'
import { TraderLine } from '@/components/TraderLine'
import { chainTypesOf } from '@/components/trading/chainTypesOf'
import { MissingRequirements } from '@/components/trading/MissingRequirements'
import { TraderRecord } from '@/components/trading/TraderRecord'
import { useStillMissing } from '@/components/trading/useStillMissing'
import { useCoins } from '@/components/useCoins'
import { useMoney } from '@/components/useMoney'
import { useFormats } from '@/i18n/format'
import { compare } from '@/lib/money'
import { hrefTo, useGo } from '@/navigation/navigation'
import { ActionBar } from '@/ui/ActionBar'
import { AmountField } from '@/ui/AmountField'
import { Button } from '@/ui/Button'
import { Card, Line, Notice } from '@/ui/Card'
import { orderAmounts, type Terms } from './orderAmounts'
import { PayerChoice } from './PayerChoice'
import { PaymentMethodChoice } from './PaymentMethodChoice'
import { Prefunding } from './Prefunding'
import { RefundFee } from './RefundFee'
import { useAmountText } from './useAmountText'
import { isAboutAmount, previewKey, useOrderPreview } from './useOrderPreview'
import { usePayers } from './usePayers'

/** Returns the current price that a refusal reports. */
function reportedPrice(error: unknown): string | null {
  return isApiError(error) && error.code === '5043' ? refusedFact(error, 'price') : null
}

/** Returns whether an order was refused because its fee has changed. */
function isFeeChanged(error: unknown): boolean {
  return isApiError(error) && error.code === '5051'
}

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
  const client = useQueryClient()
  const go = useGo()
  const coins = useCoins()
  const buying = advert.side === 'SELL'
  const escrowed = escrowedAsset(advert)
  const fiat = advert.methodTypes.length > 0
  const [unit, setUnit] = useState<'money' | 'quantity'>('money')
  const [typed, setTyped] = useState(wanted)
  const [price, setPrice] = useState(advert.price)
  const [listed, setListed] = useState(advert.price)
  const [tried, setTried] = useState(false)
  const [refusedAmount, setRefusedAmount] = useState('')
  const [methodId, setMethodId] = useState('')
  const [payerId, setPayerId] = useState('')
  const payers = usePayers(advert, methodId)
  const payer = payers.find((one) => one.id === payerId) ?? payers[0]

  const pair = coins.pair(advert.base, advert.quote)
  const missing = useStillMissing(advert.missing)
  const terms: Terms = {
    price,
    baseScale: coins.scale(advert.base),
    quoteScale: coins.scale(advert.quote),
  }
  const deal = orderAmounts(typed, unit, terms)
  const wished = deal !== null && compare(deal.money, '0') === 1 ? deal : null
  const preview = useOrderPreview(advert.id, wished)
  // Show no amounts for an order that is not possible.
  const possible = preview.refusal === null ? wished : null
  const prefunding = preview.data?.prefunding ?? null
  const [secret, setSecret] = useState('')

  const order = useCommand({
    run: async (
      {
        secret,
        ...input
      }: {
        price: string
        fee?: string
        quantity: string
        paymentMethodId?: string
        payerMethodId?: string
        /** The security password. Only for an order that is paid from the temporary balance. */
        secret?: string
      },
      headers,
      seal,
    ) => {
      const proof = secret === undefined ? {} : { securityCode: await seal(secret) }
      return read(api.POST('/c2c/deal/order', { body: { advertId: advert.id, ...input, ...proof }, headers }))
    },
    touches: [keys.orders, keys.hall],
    done: (made) => go.replace('/orderDetail', { id: made.id }),
    refused: (error) => {
      if (isFeeChanged(error)) void client.invalidateQueries({ queryKey: previewKey(advert.id) })
      if (reportedPrice(error) !== null || isFeeChanged(error)) return true
      return isAboutAmount(error) || isWrongSecurityPassword(error)
    },
  })
  // A new price, from the refusal or from the ad, must be confirmed.
  const newPrice = advert.price === listed || advert.price === price ? null : advert.price
  const changed = reportedPrice(order.error) ?? newPrice
  // The amount that was refused. Another one may be all right.
  const amountRefused = isAboutAmount(order.error) && refusedAmount === typed
  const whyAmount = useAmountText(preview.refusal ?? (amountRefused ? order.error : null), advert)
  // So must a new fee.
  const feeChanged = changed === null && isFeeChanged(order.error)

  const amountError = tried && wished === null ? t`Enter an amount.` : whyAmount

  const submit = () => {
    setTried(true)
    if (missing.length > 0) {
      scrollTo({ top: 0 })
      return
    }
    if (possible === null || (buying && preview.data === undefined)) return
    if (prefunding !== null && secret === '') return
    setRefusedAmount(typed)
    order.send({
      price,
      ...(buying && preview.data !== undefined ? { fee: preview.data.fee } : {}),
      quantity: possible.quantity,
      ...(methodId === '' ? {} : { paymentMethodId: methodId }),
      ...(payer === undefined ? {} : { payerMethodId: payer.id }),
      ...(prefunding === null ? {} : { secret }),
    })
  }
  const confirmPrice = () => {
    if (changed !== null) setPrice(changed)
    setListed(advert.price)
    order.clear()
  }

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
        <h2 className="font-semibold text-2xl">
          {buying ? <Trans>Buy {advert.base}</Trans> : <Trans>Sell {advert.base}</Trans>}
        </h2>
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
        {advert.remark === null ? null : (
          <p className="mt-3 border-line border-t pt-3 text-sm">“{advert.remark}”</p>
        )}
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
          decimals={unit === 'money' ? terms.quoteScale : terms.baseScale}
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
        {fiat ? (
          <div className="mt-1 flex flex-wrap items-center justify-between gap-x-4 gap-y-1 pb-3">
            <p className="text-muted text-sm">
              {buying ? <Trans>You pay with</Trans> : <Trans>The buyer can pay with</Trans>}
            </p>
            <MethodLabels types={advert.methodTypes} />
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
      {fiat && !advert.mine ? (
        <PaymentMethodChoice
          advert={advert}
          amount={unit === 'money' ? typed : ''}
          chosen={methodId}
          onChoose={setMethodId}
        />
      ) : null}
      {payer === undefined || advert.mine ? null : (
        <PayerChoice payers={payers} chosen={payer} onChoose={setPayerId} />
      )}
      <p className="text-muted text-sm leading-relaxed">
        <WhatComes advert={advert} /> <RefundFee advert={advert} />
      </p>
      {advert.mine ? (
        <Notice tone="info">
          <Trans>This is your own ad.</Trans>
        </Notice>
      ) : null}
      {changed === null ? null : (
        <div role="alert">
          <Notice tone="warn">
            <Trans>
              The price changed from {amount(price)} to {amount(changed)} {advert.quote}. No order was placed.
            </Trans>
          </Notice>
        </div>
      )}
      {feeChanged ? (
        <div role="alert">
          <Notice tone="warn">
            <Trans>The fee has changed. Check what you receive. No order was placed.</Trans>
          </Notice>
        </div>
      ) : null}
      {preview.data?.outsidePriceBand === true ? (
        <Notice tone="warn">
          <Trans>
            This price is far from the current market price. Compare it with other offers before you order.
          </Trans>
        </Notice>
      ) : null}
      {prefunding === null ? null : (
        <>
          <Prefunding needs={prefunding} />
          <SecurityPasswordField value={secret} onChange={setSecret} tried={tried} command={order} />
        </>
      )}
      {buying && preview.failed ? (
        <div role="alert">
          <Notice tone="warn">
            <Trans>The fee can’t be loaded right now, so no order can be placed.</Trans>
          </Notice>
        </div>
      ) : null}
      <ActionBar nav>
        {feeChanged ? (
          <Button size="large" wide onClick={order.clear}>
            <Trans>Continue with the new fee</Trans>
          </Button>
        ) : changed === null ? (
          <Button
            size="large"
            wide
            tone={buying ? 'brand' : 'sell'}
            busy={order.busy || (buying && preview.loading)}
            disabled={advert.mine}
            onClick={submit}
          >
            {buying ? <Trans>Buy {ordered}</Trans> : <Trans>Sell {ordered}</Trans>}
          </Button>
        ) : (
          <Button size="large" wide onClick={confirmPrice}>
            <Trans>
              Continue at {amount(changed)} {advert.quote}
            </Trans>
          </Button>
        )}
      </ActionBar>
    </div>
  )
}

/** What the user does after ordering, and when. */
function WhatComes({ advert }: { advert: HallAdvert }) {
  const { base, windowMinutes } = advert
  const buying = advert.side === 'SELL'
  if (advert.kind === 'AUTOMATIC') {
    return buying ? (
      <Trans>
        Your order is accepted immediately. You then have {windowMinutes} minutes to pay, and both sides
        settle in a single on-chain transaction.
      </Trans>
    ) : (
      <Trans>
        Your order is accepted immediately. Then deposit the {base} into escrow within the time that the order
        shows. Both sides settle in a single on-chain transaction, which pays you at your receiving address.
      </Trans>
    )
  }
  return buying ? (
    <Trans>
      Once the seller accepts, you have {windowMinutes} minutes to pay. The coins are sent to your own address
      once the seller confirms your payment.
    </Trans>
  ) : (
    <Trans>
      Once the buyer accepts, deposit the coins into escrow within the time that the order shows. The buyer
      then has {windowMinutes} minutes to pay you. Release the coins after you’ve received the payment.
    </Trans>
  )
}
