import { Trans, useLingui } from '@lingui/react/macro'
import { Wallet } from 'lucide-react'
import { useEffect, useState } from 'react'
import { nftName } from '@/api/nftName'
import type { Nft } from '@/api/nfts'
import type { Deposit } from '@/api/types'
import { explainError } from '@/command/explainError'
import { useFormats } from '@/i18n/format'
import { discoverWallets, sendFromWallet, type Transfer, type WalletProvider } from '@/lib/wallet'
import {
  recordRequested,
  recordSent,
  removeRefused,
  useWalletTransfers,
  type WalletTransfer,
} from '@/lib/walletTransfers'
import { Button } from '@/ui/Button'
import { Notice } from '@/ui/Card'
import { Gap } from '@/ui/Gap'
import { Sheet } from '@/ui/Sheet'
import { toast } from '@/ui/toast'
import { ChainRow } from './ChainRow'
import { WithdrawCondition } from './ending/WithdrawCondition'

/** What is sent where, and the transfers that are visible on the chain. */
export type SentDeposit = Pick<Deposit, 'asset' | 'shortfall' | 'transfers'> & Transfer

/**
 * Buttons for the wallets of this browser; users without one scan the QR code or copy the address. A transfer is
 * visible only once it is in a block, so until then, sending again for the same payment needs a confirmation.
 */
export function WalletButtons({
  payment,
  deposit,
  nft = null,
}: {
  /** What the transfer is for. */
  payment: string
  deposit: SentDeposit
  /** The NFT to send, instead of an amount. */
  nft?: Nft | null
}) {
  const { t } = useLingui()
  const { amount } = useFormats()
  const [wallets, setWallets] = useState<readonly WalletProvider[]>([])
  const [busy, setBusy] = useState(false)
  const [asking, setAsking] = useState<WalletProvider | null>(null)
  useEffect(() => discoverWallets(setWallets), [])
  const seen = new Set(deposit.transfers.map((transfer) => transfer.hash?.toLowerCase()))
  // The open wallet shows the request itself.
  const waiting = useWalletTransfers(payment).filter((one) =>
    one.hash === null ? !busy : !seen.has(one.hash.toLowerCase()),
  )
  // An NFT that was sent cannot be sent again, so only an amount needs a confirmation.
  const before = waiting.length > 0 && nft === null
  const again = `${amount(deposit.shortfall)} ${deposit.asset}`
  const pay = async (wallet: WalletProvider) => {
    setAsking(null)
    setBusy(true)
    const id = recordRequested(payment, deposit.shortfall)
    try {
      recordSent(payment, id, await sendFromWallet(wallet, deposit, deposit.shortfall, nft?.nftId ?? null))
    } catch (error) {
      removeRefused(payment, id)
      // Refusing in the wallet is the user's own decision and has no code.
      toast(
        error instanceof Error && error.message !== '' ? error.message : (await explainError(error)).text,
        'error',
      )
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      {waiting.length > 0 ? (
        <div role="status" className="flex w-full flex-col gap-2">
          {waiting.map((one) => (
            <WhatWasSent key={one.id} sent={one} asset={deposit.asset} nft={nft} />
          ))}
        </div>
      ) : null}
      {wallets.map((wallet) => (
        <Button
          key={wallet.id}
          tone={before ? 'quiet' : 'plain'}
          wide
          busy={busy}
          onClick={() => (before ? setAsking(wallet) : void pay(wallet))}
        >
          <Wallet size={18} aria-hidden="true" />
          {before ? (
            <Trans>Send again with {wallet.name}</Trans>
          ) : nft === null ? (
            <Trans>Pay with {wallet.name}</Trans>
          ) : (
            <Trans>Send with {wallet.name}</Trans>
          )}
        </Button>
      ))}
      <Sheet
        open={asking !== null && before}
        onClose={() => setAsking(null)}
        title={t`Send again?`}
        footer={
          <div className="flex flex-wrap gap-2.5">
            <Button size="large" className="flex-1" onClick={() => setAsking(null)}>
              <Trans>Wait for confirmation</Trans>
            </Button>
            <Button
              tone="danger"
              size="large"
              className="flex-1"
              onClick={() => {
                if (asking !== null) void pay(asking)
              }}
            >
              <Trans>Send {again} again</Trans>
            </Button>
          </div>
        }
      >
        <div className="flex flex-col gap-3">
          {waiting.map((one) => (
            <WhatWasSent key={one.id} sent={one} asset={deposit.asset} nft={null} />
          ))}
          <p className="leading-relaxed">
            <Trans>
              If both transfers arrive, nothing is lost: the extra one is added to your temporary balance.
            </Trans>
            <Gap />
            <WithdrawCondition />
          </p>
        </div>
      </Sheet>
    </>
  )
}

function WhatWasSent({ sent, asset, nft }: { sent: WalletTransfer; asset: string; nft: Nft | null }) {
  const { t } = useLingui()
  const { amount, time } = useFormats()
  const what = nft === null ? `${amount(sent.amount)} ${asset}` : nftName(nft)
  const when = time(new Date(sent.at).toISOString())
  return (
    <div>
      <Notice tone={sent.hash === null ? 'warn' : 'info'}>
        {sent.hash === null ? (
          <Trans>
            {when}: we asked your wallet to send {what}. Check in your wallet whether it was sent.
          </Trans>
        ) : (
          <Trans>
            {when}: your wallet sent {what}. It will appear here once it’s on-chain.
          </Trans>
        )}
      </Notice>
      {sent.hash === null ? null : (
        <dl className="mt-1">
          <ChainRow label={t`Transaction`} kind="tx" value={sent.hash} />
        </dl>
      )}
    </div>
  )
}
