import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Button } from '@/ui/Button'
import { Sheet } from '@/ui/Sheet'

/** The user agreement and the privacy policy, read without leaving the registration behind it. */
export function TermsSheet({
  open,
  onClose,
  onAccept,
}: {
  open: boolean
  onClose: () => void
  onAccept: () => void
}) {
  const { t } = useLingui()
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t`User agreement and privacy policy`}
      footer={
        <Button size="large" wide onClick={onAccept}>
          <Trans>Accept and continue</Trans>
        </Button>
      }
    >
      <div className="flex flex-col gap-5 pb-2 leading-relaxed">
        <Part title={<Trans>User agreement</Trans>}>
          <Point title={<Trans>What MEC2C does</Trans>}>
            <Trans>
              You trade with another person. The coins being sold are held in escrow at an on-chain address.
              The buyer pays the seller directly or, in an automatic order, through the same escrow. Fiat
              money never passes through us.
            </Trans>
          </Point>
          <Point title={<Trans>Where coins can go</Trans>}>
            <Trans>
              Escrowed coins are released to the buyer once payment is confirmed, by the seller or, for
              automatic orders, on-chain, or once we decide a dispute for the buyer. Otherwise they are
              returned to your bound address, which your pass verified. They can’t go anywhere else: not to an
              address someone gives you in a message, and not even we can send them elsewhere.
            </Trans>
          </Point>
          <Point title={<Trans>Automatic orders</Trans>}>
            <Trans>
              Automatic orders need no manual confirmation: the buyer sends the payment into escrow, and the
              coins are released automatically once it’s confirmed on-chain. A single transaction pays both
              parties, or neither. A payment that arrives in time isn’t late, however long confirmation takes.
            </Trans>
          </Point>
          <Point title={<Trans>Confirmations</Trans>}>
            <Trans>
              A deposit or payout is final once it has the number of block confirmations shown on each screen.
              Until then, a chain reorganization can still reverse it, and we reverse whatever followed from
              it.
            </Trans>
          </Point>
          <Point title={<Trans>Deadlines</Trans>}>
            <Trans>
              Accepting, depositing, paying and confirming each have a deadline, shown on the order. An order
              that isn’t accepted or paid in time is cancelled. An order marked as paid is never cancelled
              automatically: its coins stay in escrow until the seller confirms, the buyer cancels or we
              decide the dispute. Time when MEC2C is unavailable doesn’t count.
            </Trans>
          </Point>
          <Point title={<Trans>Disputes</Trans>}>
            <Trans>
              Appeals aren’t available yet. The coins of a disputed order stay in escrow until the buyer and
              the seller resolve it or, if the order is stuck, until we decide it: the coins then go to the
              buyer or back to where they came from, and nowhere else.
            </Trans>
          </Point>
          <Point title={<Trans>Credit</Trans>}>
            <Trans>
              You start with a credit score, which drops when you cancel an order you’ve started. Your first
              cancellations each day are free; before any other, we show what it costs. If your score is too
              low, you can’t post ads. It’s restored every month. Marking an order as paid when you haven’t
              paid is fraud.
            </Trans>
          </Point>
          <Point title={<Trans>Fees</Trans>}>
            <Trans>
              The buyer pays a fee for each trade, deducted from the coins. You see the fee and the amount
              you’ll receive before you order. Returns and withdrawals cost a network fee, which is also shown
              in advance.
            </Trans>
          </Point>
          <Point title={<Trans>What you must keep safe</Trans>}>
            <Trans>
              Your passwords, your pass and your wallet. Anyone who has them can act as you, and no one can
              reverse an on-chain transaction. Pay from accounts in your own name, and trade only as your
              local law allows.
            </Trans>
          </Point>
        </Part>
        <Part title={<Trans>Privacy policy</Trans>}>
          <Point title={<Trans>What we know about you</Trans>}>
            <Trans>
              Your email; your ME ID, region, verification level and bound address from your pass; your
              receiving address and payment methods; your ads, orders and fund records; and the devices you’re
              logged in on. Passwords are stored only as irreversible hashes.
            </Trans>
          </Point>
          <Point title={<Trans>Who sees it</Trans>}>
            <Trans>
              All users: your nickname, country, badges and statistics for the last 30 days. People you trade
              with: the details needed for payment and, for the seller, the name it must come from, while the
              order is active. Everyone: the addresses and amounts of transactions, because the blockchain is
              public. We don’t sell your data or use trackers.
            </Trans>
          </Point>
          <Point title={<Trans>On this device</Trans>}>
            <Trans>
              Two cookies keep you logged in for seven days, and one remembers your language. Settings such as
              the theme stay in this browser. Logging out removes the login cookies.
            </Trans>
          </Point>
          <Point title={<Trans>How long we keep it</Trans>}>
            <Trans>
              Records of trades and money are never changed or deleted, so every coin can be accounted for. We
              keep everything else for as long as you have an account.
            </Trans>
          </Point>
        </Part>
      </div>
    </Sheet>
  )
}

function Part({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-2 font-semibold text-lg">{title}</h3>
      <div className="flex flex-col gap-3">{children}</div>
    </section>
  )
}

function Point({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <div>
      <h4 className="font-medium">{title}</h4>
      <p className="text-muted">{children}</p>
    </div>
  )
}
