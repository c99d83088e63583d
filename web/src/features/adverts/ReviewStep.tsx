import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { api, read } from '@/api/client'
import { currentUser, keys } from '@/api/queries'
import type { Pair, PriceCheck } from '@/api/types'
import { escrowedAsset } from '@/components/advertEscrow'
import { accountIdentifier, useMethodNames } from '@/components/methodNames'
import { AdvertOptions } from '@/components/trading/AdvertOptions'
import { useCoins } from '@/components/useCoins'
import { useMoney } from '@/components/useMoney'
import { useFormats } from '@/i18n/format'
import { total } from '@/lib/money'
import { shorten } from '@/lib/text'
import { useSession } from '@/session/session'
import { Card, CardTitle, Line, Notice } from '@/ui/Card'
import { Problem } from '@/ui/Problem'
import { Switch } from '@/ui/Switch'
import { buyersPay, type Draft } from './draft'
import { FarAway } from './MarketDistance'
import { NftTerms } from './NftTerms'
import { WhatFollows } from './WhatFollows'

/** A summary of the ad, and the consequences of posting it. */
export function ReviewStep({
  draft,
  pair,
  online,
  goOnline,
  onGoOnline,
  check,
  confirmed,
  onConfirmed,
  unconfirmed,
  prepaymentRefused,
}: {
  draft: Draft
  pair: Pair
  /** Whether the user is taking orders already. */
  online: boolean
  /** Whether to start taking orders with this ad. */
  goOnline: boolean
  onGoOnline: (goOnline: boolean) => void
  /** How the price compares with the market. */
  check: PriceCheck | undefined
  /** Whether the user has confirmed a price that is far from the market. */
  confirmed: boolean
  onConfirmed: (confirmed: boolean) => void
  /** Whether the user tried to create the ad without confirming. */
  unconfirmed: boolean
  /** Whether the ad was refused because the seller cannot prepay. */
  prepaymentRefused: boolean
}) {
  const { t } = useLingui()
  const { amount, percent } = useFormats()
  const money = useMoney()
  const coins = useCoins()
  const selling = draft.side === 'SELL'
  const worth = total(draft.quantity, draft.price, coins.scale(draft.quote))
  const cost = worth === null ? '–' : `${money(worth, draft.quote)} ${draft.quote}`
  return (
    <>
      {pair.album !== null ? (
        <NftTerms
          draft={draft}
          pair={pair}
          paid={<PaymentWay draft={draft} pair={pair} />}
          refused={prepaymentRefused}
        />
      ) : (
        <Card>
          <CardTitle>
            {selling ? (
              <Trans>
                Sell {draft.base} for {draft.quote}
              </Trans>
            ) : (
              <Trans>
                Buy {draft.base} with {draft.quote}
              </Trans>
            )}
          </CardTitle>
          <dl>
            <Line label={t({ message: 'Release', context: 'how an ad releases' })}>
              {draft.kind === 'AUTOMATIC' ? <Trans>Automatic</Trans> : <Trans>Manual</Trans>}
            </Line>
            <Line label={t`Unit price`}>
              {amount(draft.price)} {draft.quote}
            </Line>
            <Line label={selling ? t`Escrow amount` : t({ message: 'You buy', context: 'ad' })} strong>
              {amount(draft.quantity)} {draft.base}
            </Line>
            <Line label={selling ? t`Total value` : t`Total cost`} strong={!selling}>
              {cost}
            </Line>
            {selling ? null : (
              <Line label={t`You deposit now`}>
                {escrowedAsset(draft) === null ? t({ message: 'Nothing', context: 'deposit' }) : cost}
              </Line>
            )}
            <Line label={t`Order limits`}>
              {money(draft.orderMin, draft.quote)} – {money(draft.orderMax, draft.quote)} {draft.quote}
            </Line>
            <Line label={selling ? t`You get paid via` : t`You pay with`}>
              <PaymentWay draft={draft} pair={pair} />
            </Line>
            {buyersPay(draft) ? (
              <Line label={selling ? t`Time to pay` : t`Your time to pay`}>
                <Plural value={draft.windowMinutes ?? pair.windowMinutes} one="# minute" other="# minutes" />
              </Line>
            ) : null}
            {selling ? null : (
              <Line label={t`Sellers’ time to deposit`}>
                <Plural value={pair.depositMinutes} one="# minute" other="# minutes" />
              </Line>
            )}
            <Line label={t`Fee per trade`}>
              {selling ? (
                <Trans>{percent(pair.feeRate)}, paid by the buyer</Trans>
              ) : (
                <Trans>
                  {percent(pair.feeRate)}, at least {amount(pair.feeMinimum)} {draft.base}
                </Trans>
              )}
            </Line>
            {selling ? null : <Arrival draft={draft} />}
          </dl>
          <AdvertOptions of={draft} />
        </Card>
      )}
      {check?.far === true ? (
        <Notice tone="danger" icon={<TriangleAlert size={18} aria-hidden="true" />}>
          <FarAway check={check} />
          <label className="mt-2 flex min-h-11 items-center gap-3 font-semibold">
            <input
              type="checkbox"
              checked={confirmed}
              aria-invalid={unconfirmed || undefined}
              onChange={(event) => onConfirmed(event.target.checked)}
              className="size-6 shrink-0 accent-brand-fill"
            />
            <Trans>
              The price of {amount(draft.price)} {draft.quote} is right
            </Trans>
          </label>
          {unconfirmed ? (
            <Problem>
              <Trans>Confirm the price, or go back and correct it.</Trans>
            </Problem>
          ) : null}
        </Notice>
      ) : null}
      {online ? null : (
        <Card className="flex items-center justify-between gap-4">
          <span>
            <span className="block font-semibold">
              <Trans>Take orders right away</Trans>
            </span>
            <span className="block text-muted text-sm">
              {goOnline ? (
                <Trans>When you create this ad, you start taking orders on all your ads.</Trans>
              ) : (
                <Trans>You’re not taking orders, so none of your ads is shown.</Trans>
              )}
            </span>
          </span>
          <Switch on={goOnline} label={t`Take orders right away`} onChange={onGoOnline} />
        </Card>
      )}
      <WhatFollows draft={draft} worth={worth} takesOrders={online || goOnline} />
    </>
  )
}

/** What arrives where when the user buys. The server computes the fee of each order. */
function Arrival({ draft }: { draft: Draft }) {
  const { t } = useLingui()
  const user = useQuery({
    ...currentUser(useSession((state) => state.userId) ?? ''),
    refetchInterval: false,
  }).data
  return (
    <Line label={t`What arrives`}>
      <Trans>The {draft.base} of each order, minus the fee</Trans>
      {user?.boundAddress == null ? null : (
        <span className="block text-muted text-sm">
          <Trans>at your bound address {shorten(user.boundAddress)}</Trans>
        </span>
      )}
    </Line>
  )
}

/** How buyers pay: with the chosen payment methods, at the receiving address of the user who sells, or from escrow. */
function PaymentWay({ draft, pair }: { draft: Draft; pair: Pair }) {
  const { method } = useMethodNames()
  const fiat = pair.methodTypes.length > 0
  const userId = useSession((state) => state.userId) ?? ''
  const list = useQuery({
    queryKey: keys.methods,
    queryFn: () => read(api.GET('/payment/method/list')),
    enabled: fiat,
  })
  const user = useQuery({ ...currentUser(userId), refetchInterval: false }).data
  if (!fiat && draft.side === 'BUY') {
    return draft.kind === 'AUTOMATIC' ? (
      <Trans>{draft.quote} from this ad’s escrow</Trans>
    ) : (
      <Trans>{draft.quote}, straight to the seller</Trans>
    )
  }
  if (!fiat) {
    return user?.receivingAddress == null ? '–' : `${user.chainType} · ${shorten(user.receivingAddress)}`
  }
  const chosen = list.data?.filter(({ id }) => draft.methodIds.includes(id))
  if (chosen === undefined) return '–'
  return (
    <ul>
      {chosen.map((one) => (
        <li key={one.id}>
          {method(one.type)} · {accountIdentifier(one.fields)}
        </li>
      ))}
    </ul>
  )
}
