import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { api, read } from '@/api/client'
import { nftName } from '@/api/nftName'
import { keys, ownAdvert } from '@/api/queries'
import type { Advert, Deposit } from '@/api/types'
import { QueryError } from '@/command/QueryError'
import { StaleNotice } from '@/command/StaleNotice'
import { useCommand } from '@/command/useCommand'
import { creatingPath } from '@/components/advertEscrow'
import { DepositCard } from '@/components/DepositCard'
import { DepositStatus } from '@/components/DepositStatus'
import { EndAdvertSheet } from '@/components/ending/EndAdvertSheet'
import { WithdrawCondition } from '@/components/ending/WithdrawCondition'
import { isWrongSecurityPassword } from '@/components/SecurityPasswordField'
import { useFormats } from '@/i18n/format'
import { compare } from '@/lib/money'
import { type AppPath, useCurrentHref, useGo, useQueryParam } from '@/navigation/navigation'
import { ActionBar } from '@/ui/ActionBar'
import { Button } from '@/ui/Button'
import { Countdown } from '@/ui/Countdown'
import { Skeleton } from '@/ui/Skeleton'
import { EmptyState } from '@/ui/State'
import { AdvertOutcome } from './AdvertOutcome'
import { NftDeposit, NftDepositStatus } from './NftDeposit'
import { OnlineSwitch } from './OnlineSwitch'
import { useOnline } from './useOnline'

/** The addresses of this page. */
const PATHS: readonly AppPath[] = ['/creating', '/creatingOther']

/** An ad that waits for its deposit: the amount to send, the amount that has arrived, and the deadline. Then what became of it. */
export default function CreatingPage() {
  const { t } = useLingui()
  const go = useGo()
  const id = useQueryParam('id')
  const here = useCurrentHref().split('?')[0]
  const [excess, setExcess] = useState('0')
  const query = useQuery(ownAdvert(id))
  const path = query.data && creatingPath(query.data)
  useEffect(() => {
    // A link may lead to the address of another kind of ad.
    const mine = PATHS.some((one) => one === here)
    if (path !== undefined && mine && path !== here) go.replace(path, { id })
  }, [path, here, id, go])
  if (id === '') return <EmptyState title={t`No ad selected`} />
  if (query.data === undefined) {
    return query.isError ? (
      <QueryError error={query.error} retry={() => void query.refetch()} />
    ) : (
      <div className="flex flex-col gap-4 pt-2">
        <Skeleton className="h-9 w-64" />
        <Skeleton className="h-40 w-full rounded-3xl" />
        <Skeleton className="h-80 w-full rounded-3xl" />
      </div>
    )
  }
  const advert = query.data
  const { deposit } = advert
  const over = advert.nft === null ? deposit?.excess : undefined
  // Keep the excess to show it once the deposit is complete, because by then the ad no longer reports it.
  if (over !== undefined && over !== excess) setExcess(over)
  return (
    <>
      <StaleNotice query={query} />
      {advert.state === 'CREATING' && deposit !== null ? (
        <Awaiting advert={advert} deposit={deposit} />
      ) : (
        <AdvertOutcome advert={advert} excess={excess} />
      )}
    </>
  )
}

function Awaiting({ advert, deposit }: { advert: Advert; deposit: Deposit }) {
  const { nft } = advert
  const { amount } = useFormats()
  const [leaving, setLeaving] = useState(false)
  const [checked, setChecked] = useState(false)
  const path = { id: advert.id }
  const check = useCommand({
    run: (_: { id: string }, headers) =>
      read(api.POST('/c2c/advert/deposit/{id}', { params: { path }, body: {}, headers })),
    touches: [keys.adverts],
    done: () => setChecked(true),
  })
  const fund = useCommand({
    run: async ({ fromBalance, secret }: { fromBalance: string; secret: string }, headers, seal) =>
      read(
        api.POST('/c2c/advert/deposit/{id}', {
          params: { path },
          body: { fromBalance, securityCode: await seal(secret) },
          headers,
        }),
      ),
    touches: [keys.adverts, keys.balance],
    refused: isWrongSecurityPassword,
  })
  const { online } = useOnline()
  const Status = nft === null ? DepositStatus : NftDepositStatus
  const covered = compare(deposit.shortfall, '0') !== 1
  const { deadline } = deposit
  const missing = nft === null ? `${amount(deposit.shortfall)} ${deposit.asset}` : nftName(nft)
  return (
    <div className="flex flex-col gap-4 pt-2">
      <div>
        <h2 className="font-bold text-[1.65rem] leading-tight tracking-tight">
          {covered ? (
            <Trans>Deposit received. Confirming on-chain.</Trans>
          ) : (
            <>
              <Trans>Send {missing} within</Trans>{' '}
              {deadline === null ? null : (
                <Countdown
                  deadline={deadline}
                  className="whitespace-nowrap"
                  ended={<Trans>– time’s up</Trans>}
                />
              )}
            </>
          )}
        </h2>
        <p className="mt-2 flex gap-2 text-muted">
          <ShieldCheck size={19} className="mt-0.5 shrink-0 text-brand" aria-hidden="true" />
          <span>
            {!covered ? (
              nft === null ? (
                <Trans>
                  The coins go to your own escrow address. If you don’t finish, anything that has arrived is
                  added to your temporary balance.
                </Trans>
              ) : (
                <Trans>
                  The NFT goes to your own escrow address. If it doesn’t arrive in time, what you prepaid
                  returns to your temporary balance.
                </Trans>
              )
            ) : online === false ? (
              <Trans>There’s nothing more to send. Your ad is shown once you start taking orders.</Trans>
            ) : (
              <Trans>You’re all set. Your ad will be shown automatically.</Trans>
            )}
          </span>
        </p>
      </div>
      {covered && online === false ? <OnlineSwitch /> : null}
      {nft === null ? (
        <DepositCard
          payment={advert.id}
          deposit={deposit}
          title={<Trans>Escrow deposit</Trans>}
          fund={fund}
        />
      ) : (
        <NftDeposit payment={advert.id} nft={nft} deposit={deposit} />
      )}
      {covered || nft !== null ? null : (
        <p className="text-muted text-sm leading-relaxed">
          <WithdrawCondition />
        </p>
      )}
      <ActionBar nav note={checked ? <Status deposit={deposit} at={advert.serverTime} /> : null}>
        {advert.actions.includes('cancel') ? (
          <Button tone="plain" size="large" onClick={() => setLeaving(true)}>
            <Trans>Cancel</Trans>
          </Button>
        ) : null}
        {advert.actions.includes('checkDeposit') ? (
          <Button size="large" wide busy={check.busy} onClick={() => check.send({ id: advert.id })}>
            <Trans>I have sent it</Trans>
          </Button>
        ) : null}
      </ActionBar>
      <EndAdvertSheet advert={advert} open={leaving} onClose={() => setLeaving(false)} />
    </div>
  )
}
