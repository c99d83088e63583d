import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ClipboardList } from 'lucide-react'
import { useState } from 'react'
import { api, read } from '@/api/client'
import { keys, nextPage, pollEvery } from '@/api/queries'
import { QueryError } from '@/command/QueryError'
import { StaleNotice } from '@/command/StaleNotice'
import { MoreRecords } from '@/components/MoreRecords'
import { AppLink } from '@/navigation/navigation'
import { buttonClass } from '@/ui/Button'
import { Segments } from '@/ui/Chip'
import { Skeleton } from '@/ui/Skeleton'
import { EmptyState } from '@/ui/State'
import { OrderList } from './OrderList'

type Which = 'open' | 'finished'

/** The user's orders, open and ended. */
export default function OrdersPage() {
  const { t } = useLingui()
  const [which, setWhich] = useState<Which>('open')
  const finish = which === 'finished'
  const list = useInfiniteQuery({
    queryKey: [...keys.orders, 'list', which],
    queryFn: ({ pageParam }) =>
      read(api.GET('/c2c/deal/order/page', { params: { query: { finish, page: pageParam, size: 20 } } })),
    initialPageParam: 1,
    getNextPageParam: nextPage,
    refetchInterval: finish ? false : pollEvery(8_000),
  })
  const orders = list.data?.pages.flatMap((page) => page.records)
  return (
    <div className="flex flex-col gap-2 pt-2">
      <Segments<Which>
        name="which"
        label={t`Order status`}
        value={which}
        onChange={setWhich}
        options={[
          { value: 'open', label: t`Unfinished` },
          { value: 'finished', label: t`Finished` },
        ]}
      />
      {list.isError && orders === undefined ? (
        <QueryError error={list.error} retry={() => void list.refetch()} />
      ) : orders === undefined ? (
        <div aria-hidden="true">
          {[1, 2, 3, 4].map((key) => (
            <div key={key} className="flex h-31 flex-col justify-center gap-3 border-line border-b">
              <Skeleton className="h-4 w-40" />
              <Skeleton className="h-6 w-32" />
              <Skeleton className="h-4 w-56" />
            </div>
          ))}
        </div>
      ) : orders.length === 0 ? (
        <EmptyState
          icon={ClipboardList}
          title={finish ? <Trans>No finished orders yet</Trans> : <Trans>No unfinished orders</Trans>}
          text={<Trans>Choose an ad in the trading hall to place an order.</Trans>}
          action={
            <AppLink to="/" className={buttonClass('plain', 'normal', false)}>
              <Trans>Go to trading hall</Trans>
            </AppLink>
          }
        />
      ) : (
        <>
          <StaleNotice query={list} />
          <OrderList orders={orders} />
          <MoreRecords list={list} />
        </>
      )}
    </div>
  )
}
