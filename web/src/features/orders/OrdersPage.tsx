import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { ClipboardList, Scale, SearchX } from 'lucide-react'
import { useLayoutEffect } from 'react'
import { api, read } from '@/api/client'
import { keys, nextPage, pollEvery } from '@/api/queries'
import { QueryError } from '@/command/QueryError'
import { StaleNotice } from '@/command/StaleNotice'
import { MoreRecords } from '@/components/MoreRecords'
import { usePaused } from '@/lib/usePaused'
import { AppLink, useCurrentHref } from '@/navigation/navigation'
import { Button, buttonClass } from '@/ui/Button'
import { Segments } from '@/ui/Chip'
import { Skeleton } from '@/ui/Skeleton'
import { EmptyState } from '@/ui/State'
import { OrderFilters } from './OrderFilters'
import { OrderRows } from './OrderRows'
import {
  filtersOf,
  followAddress,
  isFiltered,
  NO_FILTERS,
  type OrderList,
  showOrders,
  useOrderList,
} from './orderList'

/** The user's orders, open and ended. */
export default function OrdersPage() {
  const { t } = useLingui()
  const address = useCurrentHref()
  // The page stays mounted behind other screens, whose addresses are not its own.
  const shown = /^\/order(\?|$)/.test(address)
  useLayoutEffect(() => {
    if (shown) followAddress(address)
  }, [shown, address])
  const list = useOrderList()
  return (
    <div className="flex flex-col gap-2">
      <AppLink
        to="/appeals"
        className="-mb-2 inline-flex min-h-11 items-center gap-2 self-end font-medium text-brand text-sm"
      >
        <Scale size={16} aria-hidden="true" />
        <Trans>Your appeals</Trans>
      </AppLink>
      <Segments<OrderList['which']>
        name="which"
        label={t`Order status`}
        value={list.which}
        onChange={(which) => showOrders({ which })}
        options={[
          { value: 'open', label: t`Unfinished` },
          { value: 'finished', label: t`Finished` },
        ]}
      />
      <Orders key={list.which} list={list} />
    </div>
  )
}

function useOrders(list: OrderList) {
  const finish = list.which === 'finished'
  const filters = filtersOf(usePaused(list))
  return useInfiniteQuery({
    queryKey: [...keys.orders, 'list', list.which, ...(finish ? [filters] : [])],
    queryFn: ({ pageParam }) => {
      const query = { finish, page: pageParam, size: 20, ...(finish ? filters : {}) }
      return read(api.GET('/c2c/deal/order/page', { params: { query } }))
    },
    initialPageParam: 1,
    getNextPageParam: nextPage,
    refetchInterval: finish ? false : pollEvery(8_000),
    placeholderData: keepPreviousData,
  })
}

function Orders({ list }: { list: OrderList }) {
  const finish = list.which === 'finished'
  const filtered = finish && isFiltered(list)
  const page = useOrders(list)
  const orders = page.data?.pages.flatMap((one) => one.records)
  const filters =
    finish && (filtered || orders?.length !== 0) ? <OrderFilters list={list} error={page.error} /> : null
  if (orders === undefined) {
    return (
      <>
        {filters}
        {page.isError ? (
          <QueryError error={page.error} retry={() => void page.refetch()} />
        ) : (
          <div aria-hidden="true">
            {[1, 2, 3, 4].map((key) => (
              <div key={key} className="flex h-31 flex-col justify-center gap-3 border-line border-b">
                <Skeleton className="h-4 w-40" />
                <Skeleton className="h-6 w-32" />
                <Skeleton className="h-4 w-56" />
              </div>
            ))}
          </div>
        )}
      </>
    )
  }
  if (orders.length === 0) {
    return (
      <>
        {filters}
        {filtered ? <NoMatch /> : <NoOrders finish={finish} />}
      </>
    )
  }
  return (
    <>
      {filters}
      <StaleNotice query={page} />
      <OrderRows orders={orders} old={page.isPlaceholderData} />
      <MoreRecords list={page} />
    </>
  )
}

function NoMatch() {
  return (
    <EmptyState
      icon={SearchX}
      title={<Trans>No orders match</Trans>}
      text={<Trans>Check the nickname or the order ID, or look at other days.</Trans>}
      action={
        <Button tone="plain" onClick={() => showOrders(NO_FILTERS)}>
          <Trans>Clear filters</Trans>
        </Button>
      }
    />
  )
}

function NoOrders({ finish }: { finish: boolean }) {
  return (
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
  )
}
