import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, done, read } from '@/api/client'
import { every, keys } from '@/api/queries'
import { NotRenewed } from '@/command/NotRenewed'
import { QueryError } from '@/command/QueryError'
import { useQueryParam } from '@/navigation/navigation'
import { Skeleton } from '@/ui/Skeleton'
import { EmptyState } from '@/ui/State'
import { OrderActions } from './OrderActions'
import { OrderFacts } from './OrderFacts'
import { OrderHead } from './OrderHead'
import { OrderMoney } from './OrderMoney'
import { OrderProgress } from './OrderProgress'
import { PayDeposit } from './PayDeposit'
import { PaymentDetails } from './PaymentDetails'
import { PaymentSeen } from './PaymentSeen'

/** One order, from the side of the person who reads it. */
export default function OrderDetailPage() {
  const { t } = useLingui()
  const id = useQueryParam('id')
  const query = useQuery({
    queryKey: [...keys.orders, 'one', id],
    queryFn: () => read(api.GET('/c2c/deal/order/{id}', { params: { path: { id } } })),
    refetchInterval: every(8_000),
    enabled: id !== '',
  })
  const known = query.data !== undefined
  useEffect(() => {
    if (!known) return
    void done(api.POST('/c2c/deal/order/updateRead', { params: { query: { id } } })).catch(() => null)
  }, [known, id])

  if (id === '') return <EmptyState title={t`No order selected`} />
  const order = query.data
  if (order === undefined) {
    return query.isError ? (
      <QueryError error={query.error} retry={() => void query.refetch()} />
    ) : (
      <div className="flex flex-col gap-4 pt-2">
        <Skeleton className="h-9 w-64" />
        <Skeleton className="h-5 w-52" />
        <Skeleton className="h-56 w-full rounded-3xl" />
        <Skeleton className="h-44 w-full rounded-3xl" />
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-4 pt-2">
      <NotRenewed query={query} />
      <OrderHead order={order} />
      <PaymentSeen order={order} />
      <PaymentDetails order={order} />
      <PayDeposit order={order} />
      <OrderProgress order={order} />
      <OrderMoney order={order} />
      <OrderFacts order={order} />
      <OrderActions order={order} />
    </div>
  )
}
