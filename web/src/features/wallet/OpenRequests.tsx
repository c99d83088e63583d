import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { tradedText } from '@/api/nftName'
import type { Advert, CoinConfig, Deposit, Order } from '@/api/types'
import { QueryError } from '@/command/QueryError'
import { StaleNotice } from '@/command/StaleNotice'
import { creatingPath } from '@/components/advertEscrow'
import { useFormats } from '@/i18n/format'
import { compare } from '@/lib/money'
import { AppLink, type AppPath } from '@/navigation/navigation'
import { Card, CardTitle } from '@/ui/Card'
import { Countdown } from '@/ui/Countdown'
import { openTrades } from './openTrades'

/** The ads and orders that wait for coins. They get what arrives before it becomes temporary balance. */
export function OpenRequests({ config }: { config: CoinConfig }) {
  const { t } = useLingui()
  const list = useQuery(openTrades)
  if (list.data === undefined) {
    return list.isError ? <QueryError error={list.error} retry={() => void list.refetch()} /> : null
  }
  const orders = list.data.orders.flatMap((order) => waiting(order.deposit, order))
  const adverts = list.data.adverts.flatMap((advert) => waiting(advert.deposit, advert))
  if (orders.length + adverts.length === 0) return null
  return (
    <Card>
      <CardTitle>
        <Trans>Waiting for coins</Trans>
      </CardTitle>
      <StaleNotice query={list} />
      <p className="text-muted text-sm leading-relaxed">
        <Trans>Coins sent here go to these ads and orders first.</Trans>
      </p>
      {adverts.length === 0 ? null : <OtherCoins config={config} />}
      <ul aria-label={t`Waiting for coins`} className="mt-1">
        {orders.map(({ deposit, by }) => (
          <Waiting
            key={by.id}
            to="/orderDetail"
            id={by.id}
            deposit={deposit}
            title={<OrderTitle order={by} />}
          />
        ))}
        {adverts.map(({ deposit, by }) => (
          <Waiting
            key={by.id}
            to={creatingPath(by)}
            id={by.id}
            deposit={deposit}
            title={<AdvertTitle advert={by} />}
          />
        ))}
      </ul>
    </Card>
  )
}

/** What happens to an ad that waits for something else than what is sent. */
function OtherCoins({ config: { coins } }: { config: CoinConfig }) {
  const { amount } = useFormats()
  const limits = coins.filter((one) => compare(one.dust, '0') === 1)
  const most = limits.map((one) => `${amount(one.dust)} ${one.enShort}`).join(' / ')
  return (
    <p className="mt-1 text-sm text-warn leading-relaxed">
      <Trans>
        Anything else from your bound address cancels an ad that waits, if it’s more than {most}. It’s then
        returned to you.
      </Trans>
    </p>
  )
}

/** Returns an ad or order with its deposit, if some of it is still missing. */
function waiting<By>(deposit: Deposit | null, by: By): { deposit: Deposit; by: By }[] {
  return deposit !== null && compare(deposit.received, deposit.needed) === -1 ? [{ deposit, by }] : []
}

function OrderTitle({ order }: { order: Order }) {
  const { amount } = useFormats()
  const what = tradedText(amount, order, order.quantity)
  return order.role === 'BUYER' ? <Trans>Order: buy {what}</Trans> : <Trans>Order: sell {what}</Trans>
}

function AdvertTitle({ advert }: { advert: Advert }) {
  const { amount } = useFormats()
  const what = tradedText(amount, advert, advert.quantity)
  return advert.side === 'SELL' ? <Trans>Ad: sell {what}</Trans> : <Trans>Ad: buy {what}</Trans>
}

function Waiting({
  to,
  id,
  deposit,
  title,
}: {
  to: AppPath
  id: string
  deposit: Deposit
  title: ReactNode
}) {
  const { amount } = useFormats()
  const missing = `${amount(deposit.shortfall)} ${deposit.asset}`
  return (
    <li className="border-line border-b last:border-0">
      <AppLink to={to} query={{ id }} className="flex min-h-14 items-center gap-3 py-2.5">
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-baseline justify-between gap-x-3">
            <span className="font-medium [overflow-wrap:anywhere]">{title}</span>
            {deposit.deadline === null ? null : (
              <Countdown deadline={deposit.deadline} className="font-semibold text-sm" ended={null} />
            )}
          </span>
          <span className="block text-muted text-sm">
            {compare(deposit.shortfall, '0') === 1 ? (
              <Trans>{missing} still to send</Trans>
            ) : (
              <Trans>Everything has arrived and is being confirmed</Trans>
            )}
          </span>
        </span>
        <ChevronRight size={18} className="shrink-0 text-muted" aria-hidden="true" />
      </AppLink>
    </li>
  )
}
