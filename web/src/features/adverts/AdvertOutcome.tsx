import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CirclePause, CircleX } from 'lucide-react'
import { api, read } from '@/api/client'
import { keys, ownBalance } from '@/api/queries'
import type { Advert } from '@/api/types'
import { useCommand } from '@/command/useCommand'
import { escrowedAsset } from '@/components/advertEscrow'
import { WithdrawCondition } from '@/components/ending/WithdrawCondition'
import { useFormats } from '@/i18n/format'
import { compare } from '@/lib/money'
import { AppLink } from '@/navigation/navigation'
import { Button, buttonClass } from '@/ui/Button'
import { Gap } from '@/ui/Gap'
import { StateView } from '@/ui/State'
import { endLabel } from './labels'
import { useOnline } from './useOnline'

/** The state of an ad that no longer waits for its deposit. */
export function AdvertOutcome({
  advert,
  excess,
}: {
  advert: Advert
  /** The amount that arrived in excess of the required deposit. */
  excess: string
}) {
  switch (advert.state) {
    case 'ONLINE':
      return <Posted advert={advert} excess={excess} />
    case 'OFFLINE':
      return <Hidden advert={advert} excess={excess} />
    default:
      return <Ended advert={advert} />
  }
}

function ToMyAds({ plain = false }: { plain?: boolean }) {
  return (
    <AppLink to="/myAdvert" className={buttonClass(plain ? 'plain' : 'brand', 'normal', false)}>
      <Trans>Go to my ads</Trans>
    </AppLink>
  )
}

/** The excess, or the temporary balance of the escrowed asset, with a link to the balances. */
function Excess({ advert, excess }: { advert: Advert; excess: string }) {
  const coin = advert.nft === null ? escrowedAsset(advert) : null
  return coin === null ? null : <ExcessOf coin={coin} excess={excess} />
}

function ExcessOf({ coin, excess }: { coin: string; excess: string }) {
  const { amount } = useFormats()
  const balance = useQuery(ownBalance)
  const held = balance.data?.lines.find((one) => one.asset === coin)?.temporary ?? '0'
  const more = isSome(excess)
  if (!more && !isSome(held)) return null
  const over = `${amount(excess)} ${coin}`
  const all = `${amount(held)} ${coin}`
  return (
    <span className="mt-2 block">
      {more ? (
        <Trans>You sent {over} more than the ad needs. The excess is in your temporary balance.</Trans>
      ) : (
        <Trans>Your temporary balance is {all}.</Trans>
      )}
      <Gap />
      <WithdrawCondition />
    </span>
  )
}

function Posted({ advert, excess }: { advert: Advert; excess: string }) {
  return (
    <StateView
      live="status"
      icon={CircleCheck}
      title={<Trans>Your ad is posted</Trans>}
      text={
        <>
          {escrowedAsset(advert) === null ? (
            <Trans>
              There’s nothing to deposit. New orders are announced here in the app. Once you accept one and
              the seller has deposited the coins, it’s your turn to pay.
            </Trans>
          ) : (
            <Trans>
              Your deposit is confirmed and locked in escrow. New orders are announced here in the app.
            </Trans>
          )}
          <Excess advert={advert} excess={excess} />
        </>
      }
      action={<ToMyAds />}
    />
  )
}

/** An ad that is hidden because the owner is not taking orders, or took this ad offline. */
function Hidden({ advert, excess }: { advert: Advert; excess: string }) {
  const { online, busy, setOnline } = useOnline()
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
      title={<Trans>Your ad is ready but not shown yet</Trans>}
      text={
        <>
          {escrowedAsset(advert) === null ? null : (
            <Trans>Your deposit is confirmed and locked in escrow.</Trans>
          )}
          <Gap />
          {online === true ? (
            <Trans>This ad is offline, so no one can see it.</Trans>
          ) : (
            <Trans>No one can see your ads while you’re not taking orders.</Trans>
          )}
          <Excess advert={advert} excess={excess} />
        </>
      }
      action={
        <div className="flex flex-wrap justify-center gap-2.5">
          <Button
            busy={busy || show.busy || online === undefined}
            onClick={() => (online === true ? show.send(advert.version) : setOnline(true))}
          >
            {online === true ? <Trans>Go online</Trans> : <Trans>Take orders</Trans>}
          </Button>
          <ToMyAds plain />
        </div>
      }
    />
  )
}

/** Why an officer took the ad down, and what becomes of its orders and coins. */
function TakenDown({
  reason,
  running,
  escrows,
}: {
  reason: string
  running: number
  /** What the ad has in escrow, if anything. */
  escrows: 'coins' | 'nft' | null
}) {
  return (
    <>
      <span className="block whitespace-pre-wrap [overflow-wrap:anywhere]">
        <Trans>Reason: {reason}</Trans>
      </span>
      {escrows === null ? (
        running > 0 ? (
          <Trans>Open orders continue.</Trans>
        ) : null
      ) : escrows === 'nft' ? (
        running > 0 ? (
          <Trans>
            Open orders continue. If the NFT isn’t sold, it is returned to you afterwards, or stays in custody
            for you if you can’t withdraw then.
          </Trans>
        ) : (
          <Trans>
            The NFT is returned to you, or stays in custody for you if you couldn’t withdraw. The prepaid fee
            is in your temporary balance again.
          </Trans>
        )
      ) : running > 0 ? (
        <Trans>
          Open orders continue. What is left in escrow is returned to you afterwards, or becomes temporary
          balance if you can’t withdraw then.
        </Trans>
      ) : (
        <Trans>
          What was left in escrow is returned to you, or is temporary balance if you couldn’t withdraw.
        </Trans>
      )}
    </>
  )
}

/** An ad that has ended or is ending, with the location of its deposit. */
function Ended({ advert }: { advert: Advert }) {
  const { t } = useLingui()
  const end = endLabel(advert)
  const revoking = advert.state === 'REVOKING'
  const traded = advert.endReason === 'SOLD_OUT' || advert.endReason === 'REVOKED'
  const created = revoking || traded
  const nft = advert.nft
  const asset = nft === null ? escrowedAsset(advert) : null
  const balance = useQuery({ ...ownBalance, enabled: !created && nft === null })
  const line = balance.data?.lines.find((one) => one.asset === asset)
  const held = line !== undefined && (isSome(line.temporary) || isSome(line.confirming))
  return (
    <StateView
      live="status"
      icon={created ? CircleCheck : CircleX}
      title={
        advert.takenDown !== null ? (
          <Trans>MEC2C has taken this ad down</Trans>
        ) : revoking ? (
          <Trans>This ad is being revoked</Trans>
        ) : traded ? (
          <Trans>This ad has ended</Trans>
        ) : (
          <Trans>This ad wasn’t created</Trans>
        )
      }
      text={
        <>
          {advert.takenDown !== null ? (
            <TakenDown
              reason={advert.takenDown.reason}
              running={advert.runningOrders}
              escrows={nft !== null ? 'nft' : asset !== null ? 'coins' : null}
            />
          ) : end === null ? null : (
            t(end)
          )}
          {created || nft === null ? null : (
            <span className="mt-2 block">
              {advert.endReason === 'WRONG_DEPOSIT' ? (
                <Trans>
                  What you prepaid is in your temporary balance again, minus the network fee if an NFT was
                  returned.
                </Trans>
              ) : (
                <Trans>
                  If the NFT has arrived, it’s in custody for you. What you prepaid is in your temporary
                  balance again.
                </Trans>
              )}
            </span>
          )}
          {created || asset === null || balance.data === undefined ? null : (
            <Kept asset={asset} temporary={line?.temporary ?? '0'} confirming={line?.confirming ?? '0'} />
          )}
        </>
      }
      action={
        <div className="flex flex-wrap justify-center gap-2.5">
          {nft !== null && !created ? (
            <AppLink to="/nft/list" className={buttonClass('brand', 'normal', false)}>
              <Trans>My NFTs</Trans>
            </AppLink>
          ) : null}
          {held && !created ? (
            <AppLink to="/fundRecord" className={buttonClass('brand', 'normal', false)}>
              <Trans>View my balance</Trans>
            </AppLink>
          ) : null}
          <ToMyAds plain={(held || nft !== null) && !created} />
        </div>
      }
    />
  )
}

const isSome = (amount: string) => compare(amount, '0') === 1

/** Explains that the deposit is part of the temporary balance, which all ads share. */
function Kept({ asset, temporary, confirming }: { asset: string; temporary: string; confirming: string }) {
  const { amount } = useFormats()
  const all = `${amount(temporary)} ${asset}`
  const coming = `${amount(confirming)} ${asset}`
  return (
    <>
      {isSome(temporary) ? (
        <span className="mt-2 block">
          <Trans>Your temporary balance is {all}, including everything confirmed for this ad.</Trans>
          <Gap />
          <WithdrawCondition />
        </span>
      ) : null}
      {isSome(confirming) ? (
        <span className="mt-2 block">
          <Trans>{coming} is being confirmed and will be added to your temporary balance.</Trans>
        </span>
      ) : null}
      {isSome(temporary) || isSome(confirming) ? null : (
        <span className="mt-2 block">
          <Trans>
            Your {asset} balance is empty. Anything that still arrives is added to your temporary balance.
          </Trans>
          <Gap />
          <WithdrawCondition />
        </span>
      )}
    </>
  )
}
