import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { coinConfig, currentUser } from '@/api/queries'
import { methodColor, useMethodNames } from '@/components/methodNames'
import { shorten } from '@/lib/text'
import { AppLink } from '@/navigation/navigation'
import { useSession } from '@/session/session'
import { Pill } from '@/ui/Badge'
import { buttonClass } from '@/ui/Button'
import { CopyRow } from '@/ui/CopyButton'

/** The user's receiving address: the one payment method for ads that are priced in USDT. */
export function UsdtAddress() {
  const { t } = useLingui()
  const { method } = useMethodNames()
  const userId = useSession((state) => state.userId) ?? ''
  const user = useQuery(currentUser(userId)).data
  const chains = useQuery(coinConfig).data?.chains
  if (user === undefined) return null
  const { receivingAddress, chainType } = user
  const chain = nameOf(chains, chainType)
  return (
    <section aria-label={method('USDT')} className="rounded-3xl bg-surface p-5">
      <div className="flex flex-wrap items-center gap-2">
        <span aria-hidden="true" className={`h-4 w-1 rounded-full ${methodColor('USDT')}`} />
        <h2 className="font-semibold">{method('USDT')}</h2>
        {chainType === null ? null : <Pill>{chainType}</Pill>}
        <span className="ml-auto text-muted text-sm">USDT</span>
      </div>
      {receivingAddress === null ? (
        <p className="mt-2 text-muted text-sm">
          <Trans>You need it for ads and orders that are paid in USDT.</Trans>
        </p>
      ) : (
        <>
          <dl className="mt-2 text-sm">
            <CopyRow label={t`Address`} value={receivingAddress} shown={shorten(receivingAddress)} />
          </dl>
          <p className="text-muted text-sm">
            <Trans>
              You’re paid here for ads that are priced in USDT, on {chain} only. Anything sent on another
              chain is lost.
            </Trans>
          </p>
        </>
      )}
      <AppLink
        to="/updateReceivingAddress"
        query={{ next: '/paymentMethod' }}
        className={`${buttonClass('plain', 'small', false)} mt-3`}
      >
        {receivingAddress === null ? <Trans>Add USDT address</Trans> : <Trans>Change</Trans>}
      </AppLink>
    </section>
  )
}

function nameOf(
  chains: readonly { chainType: string; name: string }[] | undefined,
  chainType: string | null,
): string {
  return chains?.find((one) => one.chainType === chainType)?.name ?? chainType ?? ''
}
