import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { OwnedNft } from '@/api/nfts'
import { AppLink } from '@/navigation/navigation'
import { Button, buttonClass } from '@/ui/Button'
import { WithdrawNftSheet } from './WithdrawNftSheet'

/** What the user may do with an NFT in custody. */
export function OwnedActions({ nft, wide = false }: { nft: OwnedNft; wide?: boolean }) {
  const [withdrawing, setWithdrawing] = useState(false)
  const size = wide ? 'large' : 'small'
  // The sheet must not open by itself when the action is offered again.
  if (withdrawing && !nft.actions.includes('WITHDRAW')) setWithdrawing(false)
  return (
    <>
      {nft.paused ? (
        <p className="text-muted text-sm">
          <Trans>Paused: MEC2C is checking where this NFT is.</Trans>
        </p>
      ) : null}
      {nft.actions.includes('WITHDRAW') ? (
        <Button tone="plain" size={size} wide={wide} onClick={() => setWithdrawing(true)}>
          <Trans context="NFT">Withdraw</Trans>
        </Button>
      ) : null}
      {nft.actions.includes('SELL') ? (
        <AppLink to="/publish" query={{ nft: nft.id }} className={buttonClass('brand', size, wide)}>
          <Trans>Sell</Trans>
        </AppLink>
      ) : null}
      {withdrawing ? <WithdrawNftSheet nft={nft} onClose={() => setWithdrawing(false)} /> : null}
    </>
  )
}
