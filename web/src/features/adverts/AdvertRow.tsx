import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { api, read } from '@/api/client'
import { movedText } from '@/api/nftName'
import { keys } from '@/api/queries'
import type { Advert } from '@/api/types'
import { useCommand } from '@/command/useCommand'
import { creatingPath, escrowedAsset } from '@/components/advertEscrow'
import { ChainText } from '@/components/ChainRow'
import { EndAdvertSheet } from '@/components/ending/EndAdvertSheet'
import { LazyNftLine } from '@/components/LazyNft'
import { useMoney } from '@/components/useMoney'
import { useFormats } from '@/i18n/format'
import { shorten } from '@/lib/text'
import { AppLink } from '@/navigation/navigation'
import { Pill } from '@/ui/Badge'
import { Button, buttonClass } from '@/ui/Button'
import { Notice } from '@/ui/Card'
import { Countdown } from '@/ui/Countdown'
import { toast } from '@/ui/toast'
import { AdvertDetails } from './AdvertDetails'
import { endLabel, STATE_LABELS } from './labels'

/** One of the user's ads: its terms, its coins and its actions. `whole`: its details are shown without being asked for. */
export function AdvertRow({ advert, whole = false }: { advert: Advert; whole?: boolean }) {
  const { t } = useLingui()
  const { amount } = useFormats()
  const money = useMoney()
  const [revoking, setRevoking] = useState(false)
  const [open, setOpen] = useState(false)
  const details = useId()
  const path = { id: advert.id }
  const { version } = advert
  const toggle = useCommand({
    run: (online: boolean, headers) =>
      read(api.POST('/c2c/advert/switch/{id}', { params: { path }, body: { version, online }, headers })),
    touches: [keys.adverts, keys.hall],
    done: (now) => toast(now.state === 'ONLINE' ? t`The ad is online` : t`The ad is offline`),
  })
  const hide = useCommand({
    run: (seen: number, headers) =>
      read(api.POST('/c2c/advert/delete/{id}', { params: { path }, body: { version: seen }, headers })),
    touches: [keys.adverts],
  })
  const nft = advert.nft
  const deadline = advert.deposit?.deadline ?? undefined
  const may = (action: Advert['actions'][number]) => advert.actions.includes(action)
  const words = STATE_LABELS[advert.state]
  const end = advert.state === 'CANCELLED' ? endLabel(advert) : null
  return (
    <div className={whole ? 'py-4' : 'rounded-3xl bg-surface px-5 pt-2 pb-4'}>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
          {advert.side === 'SELL' ? (
            <span className="font-semibold text-sell">
              {nft === null ? <Trans>Sell {advert.base}</Trans> : <Trans>Sell NFT</Trans>}
            </span>
          ) : (
            <span className="font-semibold text-brand">
              <Trans>Buy {advert.base}</Trans>
            </span>
          )}
          <span className="font-semibold text-lg tracking-tight [overflow-wrap:anywhere]">
            {amount(advert.price)} <span className="font-normal text-muted text-sm">{advert.quote}</span>
          </span>
        </span>
        <span className="flex flex-wrap items-center gap-2">
          {advert.state === 'CREATING' && deadline !== undefined ? (
            <Countdown deadline={deadline} className="font-semibold text-sm" />
          ) : null}
          <Pill tone={words.tone}>{t(words.text)}</Pill>
          {whole ? null : (
            <button
              type="button"
              aria-label={t`Details`}
              aria-expanded={open}
              aria-controls={details}
              onClick={() => setOpen(!open)}
              className="-mr-3 grid size-11 place-items-center rounded-full text-muted hover:bg-sunken"
            >
              <ChevronDown
                size={20}
                aria-hidden="true"
                className={`transition-transform ${open ? 'rotate-180' : ''}`}
              />
            </button>
          )}
        </span>
      </div>
      {nft === null ? null : (
        <AppLink to="/nft/purchaseOrder" query={{ id: nft.id }} className="my-1 block">
          <LazyNftLine nft={nft} />
        </AppLink>
      )}
      <dl className="grid grid-cols-[auto_1fr] max-2xs:grid-cols-1 gap-x-3 gap-y-0.5 text-sm">
        {nft !== null ? null : (
          <>
            <dt className="text-muted">
              {advert.side === 'SELL' ? <Trans>Remaining</Trans> : <Trans>Still to buy</Trans>}
            </dt>
            <dd>
              {amount(advert.remaining)} / {amount(advert.quantity)} {advert.base}
            </dd>
          </>
        )}
        {advert.completedOrders === 0 ? null : (
          <>
            <dt className="text-muted">
              {advert.side === 'SELL' ? <Trans>Turnover</Trans> : <Trans>Bought for</Trans>}
            </dt>
            <dd>
              {money(advert.turnover, advert.quote)} {advert.quote}{' '}
              <span className="text-muted">
                <Plural value={advert.completedOrders} one="in # order" other="in # orders" />
              </span>
            </dd>
          </>
        )}
      </dl>
      {advert.runningOrders === 0 ? null : (
        <AppLink to="/order" className="inline-flex min-h-11 items-center font-medium text-brand text-sm">
          <Plural value={advert.runningOrders} one="# active order" other="# active orders" />
        </AppLink>
      )}
      {advert.takenDown === null ? null : (
        <div className="mt-2">
          <Notice tone="danger">
            <span className="[overflow-wrap:anywhere]">
              <Trans>MEC2C has taken this ad down: {advert.takenDown.reason}</Trans>
            </span>
          </Notice>
        </div>
      )}
      {nft === null && !advert.orderable && (advert.state === 'ONLINE' || advert.state === 'OFFLINE') ? (
        <div className="mt-2">
          <Notice tone="info">
            {advert.runningOrders > 0 ? (
              <Trans>
                The remaining amount is below your minimum per order, so the ad isn’t shown for now.
              </Trans>
            ) : escrowedAsset(advert) === null ? (
              <Trans>
                The remaining amount is below your minimum per order, so the ad isn’t shown. Revoke it, and
                post a new one if you want to buy more.
              </Trans>
            ) : (
              <Trans>
                The remaining amount is below your minimum per order, so the ad isn’t shown. Revoke it to get
                the rest back.
              </Trans>
            )}
          </Notice>
        </div>
      ) : null}
      {advert.outsidePriceBand ? (
        <div className="mt-2">
          <Notice tone="warn">
            <Trans>
              Your price is far from the current market price, and takers are told so. To change it, revoke
              this ad and post a new one.
            </Trans>
          </Notice>
        </div>
      ) : null}
      {advert.frozen ? (
        <div className="mt-2">
          <Notice tone="danger">
            <Trans>
              Part of this ad’s escrow was reversed on-chain. It can’t take orders until the escrow is
              restored.
            </Trans>
          </Notice>
        </div>
      ) : null}
      {advert.payouts.map((payout) => (
        <p key={`${payout.asset} ${payout.to}`} className="mt-2 text-muted text-sm">
          {payout.state === 'CONFIRMED' ? (
            <Trans>
              {movedText(amount, advert, payout.asset, payout.amount)} arrived at {shorten(payout.to)}
            </Trans>
          ) : (
            <Trans>
              {movedText(amount, advert, payout.asset, payout.amount)} is on the way to {shorten(payout.to)}
            </Trans>
          )}
          {payout.hash === null ? null : (
            <>
              {' · '}
              <ChainText kind="tx" value={payout.hash} />
            </>
          )}
          {payout.confirmations === null ? null : (
            <>
              {' · '}
              <Trans>
                {payout.confirmations.seen} of {payout.confirmations.needed} confirmations
              </Trans>
            </>
          )}
        </p>
      ))}
      {end === null ? null : <p className="mt-2 text-muted text-sm">{t(end)}</p>}
      <div className="mt-2 flex flex-wrap items-center gap-2 empty:hidden">
        {advert.state === 'CREATING' ? (
          <AppLink
            to={creatingPath(advert)}
            query={{ id: advert.id }}
            className={buttonClass('brand', 'small', false)}
          >
            <Trans context="into the escrow of an ad">Deposit</Trans>
          </AppLink>
        ) : null}
        {may('online') ? (
          <Button size="small" busy={toggle.busy} onClick={() => toggle.send(true)}>
            <Trans>Go online</Trans>
          </Button>
        ) : null}
        {may('offline') ? (
          <Button tone="plain" size="small" busy={toggle.busy} onClick={() => toggle.send(false)}>
            <Trans>Take offline</Trans>
          </Button>
        ) : null}
        {may('revoke') ? (
          <Button tone="plain" size="small" onClick={() => setRevoking(true)}>
            <Trans>Revoke</Trans>
          </Button>
        ) : null}
        {may('delete') ? (
          <Button tone="plain" size="small" busy={hide.busy} onClick={() => hide.send(version)}>
            <Trans>Hide</Trans>
          </Button>
        ) : null}
      </div>
      <div id={details}>{open || whole ? <AdvertDetails advert={advert} /> : null}</div>
      <EndAdvertSheet advert={advert} open={revoking} onClose={() => setRevoking(false)} />
    </div>
  )
}
