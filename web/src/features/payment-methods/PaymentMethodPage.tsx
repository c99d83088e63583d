import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { CreditCard, Lock, Plus } from 'lucide-react'
import { useState } from 'react'
import { api, completed, read } from '@/api/client'
import { keys } from '@/api/queries'
import type { PaymentMethod } from '@/api/types'
import { QueryError } from '@/command/QueryError'
import { StaleNotice } from '@/command/StaleNotice'
import { useCommand } from '@/command/useCommand'
import { Gallery } from '@/components/files/Gallery'
import { methodColor, useMethodNames } from '@/components/methodNames'
import { useFieldName } from '@/components/methods/useFieldName'
import { groupFours } from '@/lib/text'
import { AppLink } from '@/navigation/navigation'
import { ActionBar } from '@/ui/ActionBar'
import { Button, buttonClass } from '@/ui/Button'
import { ConfirmationSheet } from '@/ui/ConfirmationSheet'
import { Skeleton } from '@/ui/Skeleton'
import { EmptyState } from '@/ui/State'
import { toast } from '@/ui/toast'
import { UsdtAddress } from './UsdtAddress'

/** How the user is paid: in USDT at the receiving address, and in fiat with payment methods. */
export default function PaymentMethodPage() {
  const { t } = useLingui()
  const list = useQuery({ queryKey: keys.methods, queryFn: () => read(api.GET('/payment/method/list')) })
  const methods = list.data
  if (methods === undefined) {
    return list.isError ? (
      <QueryError error={list.error} retry={() => void list.refetch()} />
    ) : (
      <div className="flex flex-col gap-3 pt-3">
        <Skeleton className="h-32 w-full rounded-3xl" />
        <Skeleton className="h-32 w-full rounded-3xl" />
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-3 pt-3">
      <StaleNotice query={list} />
      <UsdtAddress />
      {methods.length === 0 ? (
        <EmptyState
          icon={CreditCard}
          title={<Trans>No payment method yet</Trans>}
          text={
            <Trans>
              Add the account where buyers pay you. Only the buyer in an active order can see the full
              details.
            </Trans>
          }
        />
      ) : (
        <ul aria-label={t`Payment methods`} className="flex flex-col gap-3">
          {methods.map((method) => (
            <MethodCard key={method.id} method={method} />
          ))}
        </ul>
      )}
      <ActionBar>
        <AppLink to="/creatingPayment" className={buttonClass('brand', 'large', true)}>
          <Plus size={20} aria-hidden="true" />
          <Trans>Add a payment method</Trans>
        </AppLink>
      </ActionBar>
    </div>
  )
}

function MethodCard({ method }: { method: PaymentMethod }) {
  const { t } = useLingui()
  const names = useMethodNames()
  const field = useFieldName()
  const [deleting, setDeleting] = useState(false)
  const pictures = Object.values(method.pictures)
  const remove = useCommand({
    run: (id: string, headers) =>
      completed(api.POST('/payment/method/delete/{id}', { params: { path: { id } }, body: {}, headers })),
    touches: [keys.methods],
    done: () => {
      setDeleting(false)
      toast(t`Deleted`)
    },
  })
  return (
    <li className="rounded-3xl bg-surface p-5">
      <p className="flex items-center gap-2 font-semibold">
        <span aria-hidden="true" className={`h-4 w-1 rounded-full ${methodColor(method.type)}`} />
        {names.method(method.type)}
        <span className="ml-auto font-normal text-muted text-sm">{method.currency}</span>
      </p>
      <dl className="mt-2 text-sm">
        {Object.entries(method.fields)
          .filter(([name, value]) => value !== '' && !(name in method.pictures) && name !== 'qrCode')
          .map(([name, value]) => (
            <div key={name} className="flex flex-wrap justify-between gap-x-4 py-0.5">
              <dt className="text-muted">{field(name, method.type)}</dt>
              <dd className="ml-auto min-w-0 text-right [overflow-wrap:anywhere]">{groupFours(value)}</dd>
            </div>
          ))}
      </dl>
      {pictures.length === 0 ? null : (
        <div className="mt-3">
          <Gallery
            files={pictures}
            title={t({ message: 'Payment QR code', context: 'own' })}
            note={
              <p className="text-center text-muted text-sm">
                <Trans>Only the buyer in an active order can see it.</Trans>
              </p>
            }
          />
        </div>
      )}
      {method.inUse ? (
        <p className="mt-3 flex items-center gap-2 text-muted text-sm">
          <Lock size={15} className="shrink-0" aria-hidden="true" />
          <Trans>In use by an ad or order, so you can’t edit or delete it right now.</Trans>
        </p>
      ) : (
        <div className="mt-3 flex flex-wrap gap-2">
          <AppLink
            to="/creatingPayment"
            query={{ id: method.id }}
            className={buttonClass('plain', 'small', false)}
          >
            <Trans>Edit</Trans>
          </AppLink>
          <Button tone="plain" size="small" onClick={() => setDeleting(true)}>
            <Trans>Delete</Trans>
          </Button>
        </div>
      )}
      <ConfirmationSheet
        open={deleting}
        onClose={() => setDeleting(false)}
        title={t`Delete this payment method?`}
        keep={<Trans>Keep</Trans>}
        confirm={<Trans>Delete</Trans>}
        busy={remove.busy}
        onConfirm={() => remove.send(method.id)}
      >
        <p>
          <Trans>You won’t be able to use it for new ads. You can add it again later.</Trans>
        </p>
      </ConfirmationSheet>
    </li>
  )
}
