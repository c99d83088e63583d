import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CirclePause, CircleX } from 'lucide-react'
import { api, read } from '@/api/client'
import type { Advert } from '@/api/expected'
import { keys } from '@/api/queries'
import { useCommand } from '@/command/useCommand'
import { useFormats } from '@/i18n/format'
import { compare } from '@/lib/money'
import { AppLink } from '@/navigation/navigation'
import { Button, buttonClass } from '@/ui/Button'
import { StateView } from '@/ui/State'
import { useTakingOrders } from './useTakingOrders'
import { endOf } from './words'

/** What has become of an ad that no longer waits for its deposit. */
export function AdvertOutcome({ advert }: { advert: Advert }) {
  switch (advert.state) {
    case 'ONLINE':
      return <Posted />
    case 'OFFLINE':
      return <Hidden advert={advert} />
    default:
      return <Ended advert={advert} />
  }
}

function ToMyAds({ plain = false }: { plain?: boolean }) {
  return (
    <AppLink to="/myAdvert" className={buttonClass(plain ? 'plain' : 'brand', 'normal', false)}>
      <Trans>To my ads</Trans>
    </AppLink>
  )
}

function Posted() {
  return (
    <StateView
      live="status"
      icon={CircleCheck}
      title={<Trans>Your ad is posted</Trans>}
      text={
        <Trans>The deposit is confirmed and locked in escrow. You are notified when somebody orders.</Trans>
      }
      action={<ToMyAds />}
    />
  )
}

/** All is there, and nobody sees it: its owner takes no orders, or took this one off the market. */
function Hidden({ advert }: { advert: Advert }) {
  const { online, busy, take } = useTakingOrders()
  const show = useCommand({
    run: (version: number, headers) =>
      read(
        api.POST('/c2c/advert/switch/{id}', {
          params: { path: { id: advert.id } },
          body: { version, online: true },
          headers,
        }),
      ),
    touches: [keys.adverts, keys.hall],
  })
  return (
    <StateView
      live="status"
      icon={CirclePause}
      title={<Trans>Your ad is ready, and not shown yet</Trans>}
      text={
        online === true ? (
          <Trans>The deposit is confirmed and locked in escrow. Nobody sees this ad: it is offline.</Trans>
        ) : (
          <Trans>
            The deposit is confirmed and locked in escrow. Nobody sees your ads while you take no orders.
          </Trans>
        )
      }
      action={
        <div className="flex flex-wrap justify-center gap-2.5">
          <Button
            busy={busy || show.busy || online === undefined}
            onClick={() => (online === true ? show.send(advert.version) : take(true))}
          >
            {online === true ? <Trans>Go online</Trans> : <Trans>Take orders</Trans>}
          </Button>
          <ToMyAds plain />
        </div>
      }
    />
  )
}

/** It is over, or about to be; with where what was sent for it is now. */
function Ended({ advert }: { advert: Advert }) {
  const { i18n } = useLingui()
  const { amount } = useFormats()
  const balance = useQuery({ queryKey: keys.balance, queryFn: () => read(api.GET('/balance')) })
  const temporary = balance.data?.lines.find((line) => line.asset === advert.base)?.temporary ?? '0'
  const kept = compare(temporary, '0') === 1
  const end = endOf(advert.endReason)
  const traded = advert.endReason === 'SOLD_OUT' || advert.endReason === 'REVOKED'
  const title =
    advert.state === 'REVOKING' ? (
      <Trans>This ad is being taken back</Trans>
    ) : traded ? (
      <Trans>This ad has ended</Trans>
    ) : (
      <Trans>This ad was not created</Trans>
    )
  return (
    <StateView
      live="status"
      icon={traded || advert.state === 'REVOKING' ? CircleCheck : CircleX}
      title={title}
      text={
        <>
          {end === null ? null : i18n._(end)}
          {kept && !traded && advert.state !== 'REVOKING' ? (
            <span className="mt-2 block">
              <Trans>
                What you sent of {advert.base} is not lost: you have {amount(temporary)} {advert.base} of
                temporary balance, for the next ad or to withdraw to your bound address.
              </Trans>
            </span>
          ) : null}
        </>
      }
      action={
        <div className="flex flex-wrap justify-center gap-2.5">
          {kept && !traded ? (
            <AppLink to="/fundRecord" className={buttonClass('brand', 'normal', false)}>
              <Trans>To my balance</Trans>
            </AppLink>
          ) : null}
          <ToMyAds plain={kept && !traded} />
        </div>
      }
    />
  )
}
