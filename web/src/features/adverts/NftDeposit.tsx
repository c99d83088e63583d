import { Trans, useLingui } from '@lingui/react/macro'
import { CircleCheck, Radar } from 'lucide-react'
import { nftName } from '@/api/nftName'
import type { Nft } from '@/api/nfts'
import type { Deposit } from '@/api/types'
import { ChainRow } from '@/components/ChainRow'
import NftLine from '@/components/nft/NftLine'
import { WalletButtons } from '@/components/WalletButtons'
import { useFormats } from '@/i18n/format'
import { compare } from '@/lib/money'
import { shorten } from '@/lib/text'
import { Pill } from '@/ui/Badge'
import { Card, CardTitle, Line } from '@/ui/Card'
import { CopyRow } from '@/ui/CopyButton'
import { Gap } from '@/ui/Gap'
import { QrCode } from '@/ui/QrCode'

/** Whether a deposit is missing, on its way, or there. */
function Arrival({ deposit }: { deposit: Deposit }) {
  const { confirmations } = deposit
  if (compare(deposit.shortfall, '0') === 1)
    return (
      <Pill tone="warn">
        <Trans context="deposit">Missing</Trans>
      </Pill>
    )
  if (compare(deposit.confirming, '0') === 1)
    return (
      <Pill tone="info">
        <Trans>Being confirmed</Trans>
        {confirmations === null ? '' : ` ${confirmations.seen}/${confirmations.needed}`}
      </Pill>
    )
  return (
    <Pill tone="good">
      <Trans context="deposit">Arrived</Trans>
    </Pill>
  )
}

/** Where to send which NFT, until it has arrived. */
export function NftDeposit({
  payment,
  nft,
  deposit,
}: {
  /** The ID of the ad. */
  payment: string
  nft: Nft
  deposit: Deposit
}) {
  const { t } = useLingui()
  const missing = compare(deposit.shortfall, '0') === 1
  const name = nftName(nft)
  return (
    <Card>
      <CardTitle>
        <span className="flex flex-wrap items-center gap-x-2.5">
          <Trans>The NFT</Trans> <Arrival deposit={deposit} />
        </span>
      </CardTitle>
      <NftLine nft={nft} />
      {missing ? (
        <>
          <p className="my-3 text-sm text-warn">
            <Trans>
              Send exactly this NFT, from your own wallet, on this chain. If you send anything else, the ad
              isn’t created. What you sent is then returned to your bound address, or stays in custody for you
              if it can’t be returned.
            </Trans>
          </p>
          <div className="flex justify-center">
            <QrCode
              // Wallets cannot read a request for an NFT, so the code has only the address.
              text={deposit.address}
              label={t`QR code: the address to which you send ${name}`}
              size={140}
            />
          </div>
          <dl className="mt-1">
            <ChainRow label={t`To`} kind="address" value={deposit.address} />
            <CopyRow label={t`Number`} value={nft.nftId} shown={shorten(nft.nftId)} />
            {deposit.contract === null ? null : (
              <ChainRow label={t`Contract`} kind="address" value={deposit.contract} />
            )}
            <Line label={t`Chain`}>
              <Trans>MEC chain, ID {deposit.chainId}</Trans>
            </Line>
          </dl>
          <p className="mb-3 break-all text-center text-[0.7rem] text-muted">{deposit.address}</p>
          <WalletButtons payment={payment} deposit={deposit} nft={nft} />
        </>
      ) : null}
    </Card>
  )
}

/** Whether the NFT has arrived, shown after the user reports that it was sent. */
export function NftDepositStatus({ deposit, at }: { deposit: Deposit; at: string }) {
  const { clock } = useFormats()
  const missing = compare(deposit.shortfall, '0') === 1
  const Icon = missing ? Radar : CircleCheck
  return (
    <p role="status" className="flex gap-2 text-sm leading-snug">
      <Icon
        size={18}
        className={`mt-px shrink-0 ${missing ? 'text-warn' : 'text-brand'}`}
        aria-hidden="true"
      />
      <span>
        {missing ? (
          <Trans>Escrow hasn’t received the NFT. Once it’s on-chain, tap “I have sent it” again.</Trans>
        ) : (
          <Trans>The NFT has arrived.</Trans>
        )}
        <Gap />
        <span className="whitespace-nowrap text-muted">
          <Trans>Checked at {clock(at)}</Trans>
        </span>
      </span>
    </p>
  )
}
