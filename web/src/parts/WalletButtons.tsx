import { Trans, useLingui } from '@lingui/react/macro'
import { Wallet } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Deposit } from '@/api/expected'
import { explain } from '@/api/explain'
import { useFormats } from '@/i18n/format'
import { shorten } from '@/lib/text'
import { discoverWallets, sendFromWallet, type WalletProvider } from '@/lib/wallet'
import { Button } from '@/ui/Button'
import { Notice } from '@/ui/Card'
import { CopyRow } from '@/ui/CopyButton'
import { Sheet } from '@/ui/Sheet'
import { toast } from '@/ui/toast'

/**
 * The wallets that this browser has; without one the QR code and the copied address do the same. What was sent shows
 * only when a block has it: until then the same is not sent again by a mere tap.
 */
export function WalletButtons({ deposit }: { deposit: Deposit }) {
  const { t } = useLingui()
  const { amount } = useFormats()
  const [wallets, setWallets] = useState<readonly WalletProvider[]>([])
  const [busy, setBusy] = useState(false)
  const [sent, setSent] = useState<{ hash: string; shortfall: string } | null>(null)
  const [asking, setAsking] = useState<WalletProvider | null>(null)
  useEffect(() => discoverWallets(setWallets), [])
  const waiting = sent !== null && sent.shortfall === deposit.shortfall ? sent : null
  const what = `${amount(deposit.shortfall)} ${deposit.asset}`
  const pay = async (wallet: WalletProvider) => {
    setAsking(null)
    setBusy(true)
    try {
      const hash = await sendFromWallet(wallet, deposit, deposit.shortfall)
      setSent({ hash, shortfall: deposit.shortfall })
    } catch (error) {
      // A wallet's refusal is the person's own decision; it has no code of ours.
      toast(
        error instanceof Error && error.message !== '' ? error.message : (await explain(error)).text,
        'error',
      )
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      {waiting === null ? null : (
        <div role="status" className="w-full">
          <Notice tone="info">
            <Trans>{what} were sent from your wallet. Waiting for a block.</Trans>
          </Notice>
          <dl className="mt-1">
            <CopyRow label={t`Transaction`} value={waiting.hash} shown={shorten(waiting.hash)} />
          </dl>
        </div>
      )}
      {wallets.map((wallet) => (
        <Button
          key={wallet.id}
          tone={waiting === null ? 'plain' : 'quiet'}
          wide
          busy={busy}
          onClick={() => (waiting === null ? void pay(wallet) : setAsking(wallet))}
        >
          <Wallet size={18} aria-hidden="true" />
          {waiting === null ? (
            <Trans>Pay with {wallet.name}</Trans>
          ) : (
            <Trans>Send again with {wallet.name}</Trans>
          )}
        </Button>
      ))}
      <Sheet
        open={asking !== null && waiting !== null}
        onClose={() => setAsking(null)}
        title={t`Send once more?`}
        footer={
          <div className="flex gap-2.5">
            <Button size="large" wide onClick={() => setAsking(null)}>
              <Trans>Wait for the block</Trans>
            </Button>
            <Button
              tone="danger"
              size="large"
              onClick={() => {
                if (asking !== null) void pay(asking)
              }}
            >
              <Trans>Send again</Trans>
            </Button>
          </div>
        }
      >
        <p className="leading-relaxed">
          <Trans>
            {what} were sent already, and no block shows them yet. If you send as much again, the second
            becomes temporary balance.
          </Trans>
        </p>
      </Sheet>
    </>
  )
}
