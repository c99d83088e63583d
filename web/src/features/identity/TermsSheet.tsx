import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Button } from '@/ui/Button'
import { Sheet } from '@/ui/Sheet'

/** The user agreement and privacy policy, in a sheet so that the registration form keeps its input. */
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
              You trade with another person. The coins for sale are held in escrow at an on-chain address. The
              buyer pays the seller directly or, in an automatic order, through the same escrow. Fiat money
              never passes through us.
            </Trans>
          </Point>
          <Point title={<Trans>Where coins can go</Trans>}>
            <Trans>
              Escrowed coins are released to the buyer once payment is confirmed (by the seller or, for
              automatic orders, on-chain) or once we decide a dispute in the buyer’s favor. Otherwise they can
              only be returned to the bound address that their owner verified with the pass. No one can send
              them anywhere else, not even us.
            </Trans>
          </Point>
          <Point title={<Trans>Automatic orders</Trans>}>
            <Trans>
              Automatic orders need no manual confirmation: the buyer sends the payment to escrow, and the
              coins are released automatically once it’s confirmed on-chain. A single transaction pays both
              parties, or neither. A payment that arrives in time is never late, however long its confirmation
              takes.
            </Trans>
          </Point>
          <Point title={<Trans>Confirmations</Trans>}>
            <Trans>
              A deposit or payout is final once it has the number of block confirmations shown with it. Until
              then, a chain reorganization can still reverse it, and anything that depended on it is reversed
              too.
            </Trans>
          </Point>
          <Point title={<Trans>Deadlines</Trans>}>
            <Trans>
              Accepting, depositing, paying and confirming each have a deadline, shown on the order. An order
              that isn’t accepted, deposited or paid in time is cancelled. An order marked as paid is never
              cancelled automatically: its coins stay in escrow until the seller confirms, the buyer cancels,
              or we decide the dispute. Time during which MEC2C is unavailable doesn’t count.
            </Trans>
          </Point>
          <Point title={<Trans>Disputes</Trans>}>
            <Trans>
              You can appeal when the other party is late, and as the seller once an order is marked as paid.
              The coins stay in escrow until an officer decides or the appeal is withdrawn. They then go to
              the other party or back to where they came from, and nowhere else. Losing an appeal costs
              credit, and a malicious appeal costs all of it.
            </Trans>
          </Point>
          <Point title={<Trans>Credit score</Trans>}>
            <Trans>
              Everyone starts with a credit score. Cancelling orders can lower it: your first cancellations
              each day are free, and we show you the cost of any other beforehand. If your score is too low,
              you can’t post ads. It’s restored every month. Marking an order as paid when you haven’t paid is
              fraud.
            </Trans>
          </Point>
          <Point title={<Trans>Fees</Trans>}>
            <Trans>
              The buyer pays a fee for each trade, which is deducted from the coins. You see the fee and the
              amount you’ll receive before you order. Withdrawals cost a network fee, also shown in advance. A
              network fee is also deducted from coins that are returned because you revoked an ad or caused an
              order to be cancelled.
            </Trans>
          </Point>
          <Point title={<Trans>Your responsibilities</Trans>}>
            <Trans>
              Keep your passwords, your pass and your wallet safe: anyone who has them can act on your behalf,
              and no one can reverse an on-chain transaction. Pay only from accounts in your own name, and
              follow your local laws.
            </Trans>
          </Point>
        </Part>
        <Part title={<Trans>Privacy policy</Trans>}>
          <Point title={<Trans>Data we collect</Trans>}>
            <Trans>
              Your email; your ME ID, region, verification level and bound address from your pass; your
              receiving address and payment methods; your ads, orders and fund records; and the devices you’re
              logged in on. Passwords are stored only as irreversible hashes.
            </Trans>
          </Point>
          <Point title={<Trans>Who can see your data</Trans>}>
            <Trans>
              All users can see your nickname, country, badges, and statistics for the last 30 days. While an
              order is active, the buyer sees the seller’s payment details, and the seller sees the name the
              payment must come from. Blockchains are public, so anyone can see the addresses and amounts of
              on-chain transactions. We don’t sell your data or use trackers.
            </Trans>
          </Point>
          <Point title={<Trans>Cookies and settings</Trans>}>
            <Trans>
              Two cookies keep you logged in for seven days, and one remembers your language. Settings such as
              the theme stay in this browser. Logging out removes the login cookies.
            </Trans>
          </Point>
          <Point title={<Trans>How long we keep your data</Trans>}>
            <Trans>
              Records of trades and funds are never changed or deleted, so that every coin can be accounted
              for. We keep all other data for as long as you have an account.
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
