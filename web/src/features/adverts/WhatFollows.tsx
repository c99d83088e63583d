import { Trans } from '@lingui/react/macro'
import { ShieldCheck } from 'lucide-react'
import { escrowedAsset } from '@/components/advertEscrow'
import { useCoins } from '@/components/useCoins'
import { useMoney } from '@/components/useMoney'
import { useFormats } from '@/i18n/format'
import { Notice } from '@/ui/Card'
import { Gap } from '@/ui/Gap'
import type { Draft } from './draft'

/** What happens when the ad is created: what to deposit, when others see the ad, and what returns. */
export function WhatFollows({
  draft,
  worth,
  takesOrders,
}: {
  draft: Draft
  /** The price of the whole quantity; null while it is unknown. */
  worth: string | null
  /** Whether the user takes orders, or will with this ad. */
  takesOrders: boolean
}) {
  const { amount } = useFormats()
  const money = useMoney()
  const asset = escrowedAsset(draft)
  const selling = draft.side === 'SELL'
  return (
    <Notice tone="info" icon={<ShieldCheck size={18} aria-hidden="true" />}>
      {draft.nftId !== '' ? (
        <NftFollows draft={draft} takesOrders={takesOrders} />
      ) : asset === null ? (
        <Shown takesOrders={takesOrders} />
      ) : (
        <Deposited
          asset={asset}
          sent={selling ? amount(draft.quantity) : worth === null ? '–' : money(worth, asset)}
          selling={selling}
          takesOrders={takesOrders}
        />
      )}
      <Gap />
      <Trans>You can’t change these terms later.</Trans>
    </Notice>
  )
}

/** An ad for an NFT waits for the NFT, unless it is in custody. */
function NftFollows({ draft, takesOrders }: { draft: Draft; takesOrders: boolean }) {
  return (
    <>
      {draft.nft === null ? (
        <Trans>Next, send the NFT from your own wallet to your escrow address.</Trans>
      ) : (
        <Trans>The NFT is in custody already, so there’s nothing to deposit.</Trans>
      )}
      <Gap />
      <NftShown deposited={draft.nft !== null} takesOrders={takesOrders} />
      <Gap />
      <Trans>If the NFT isn’t sold, it can only be returned to your bound address.</Trans>
    </>
  )
}

function NftShown({ deposited, takesOrders }: { deposited: boolean; takesOrders: boolean }) {
  if (deposited)
    return takesOrders ? (
      <Trans>Your ad is shown as soon as you create it.</Trans>
    ) : (
      <Trans>Your ad is shown once you’re taking orders.</Trans>
    )
  return takesOrders ? (
    <Trans>Your ad is shown once the deposit is confirmed on-chain.</Trans>
  ) : (
    <Trans>Your ad is shown once the deposit is confirmed on-chain and you’re taking orders.</Trans>
  )
}

/** An ad that buys manually needs no deposit. */
function Shown({ takesOrders }: { takesOrders: boolean }) {
  return (
    <>
      <Trans>
        You deposit nothing. For each order that you accept, the seller first deposits the coins into escrow,
        and only then you pay.
      </Trans>
      <Gap />
      {takesOrders ? (
        <Trans>Your ad is shown as soon as you create it.</Trans>
      ) : (
        <Trans>Your ad is shown once you’re taking orders.</Trans>
      )}
    </>
  )
}

function Deposited({
  asset,
  sent,
  selling,
  takesOrders,
}: {
  asset: string
  /** The amount to send, or a dash. */
  sent: string
  selling: boolean
  takesOrders: boolean
}) {
  const { amount } = useFormats()
  const coins = useCoins()
  const fee = coins.returnFee(asset)
  return (
    <>
      <Trans>
        Next, send {sent} {asset} from your own wallet to your escrow address.
      </Trans>
      <Gap />
      {takesOrders ? (
        <Trans>Your ad is shown once the deposit is confirmed on-chain.</Trans>
      ) : (
        <Trans>Your ad is shown once the deposit is confirmed on-chain and you’re taking orders.</Trans>
      )}
      <Gap />
      {selling ? (
        fee === null ? (
          <Trans>Anything you don’t sell can only be returned to your bound address.</Trans>
        ) : (
          <Trans>
            Anything you don’t sell can only be returned to your bound address, minus a network fee of{' '}
            {amount(fee)} {asset}.
          </Trans>
        )
      ) : fee === null ? (
        <Trans>Any {asset} you don’t spend can only be returned to your bound address.</Trans>
      ) : (
        <Trans>
          Any {asset} you don’t spend can only be returned to your bound address, minus a network fee of{' '}
          {amount(fee)} {asset}.
        </Trans>
      )}
    </>
  )
}
