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
          <Trans>I accept both</Trans>
        </Button>
      }
    >
      <div className="flex flex-col gap-5 pb-2 leading-relaxed">
        <Part title={<Trans>User agreement</Trans>}>
          <Point title={<Trans>What MEC2C does</Trans>}>
            <Trans>
              You trade with another person. The coins that are sold wait in escrow, at an address on the
              chain. The buyer pays the seller directly, and in an automatic order through the same escrow.
              Money in your own currency never passes through us.
            </Trans>
          </Point>
          <Point title={<Trans>Where coins can go</Trans>}>
            <Trans>
              Out of escrow coins go to the buyer after the payment was confirmed, by the seller or in an
              automatic order by the chain, or back to your bound address, which your pass proved. Nowhere
              else: not to an address that somebody names in a message, not even by us.
            </Trans>
          </Point>
          <Point title={<Trans>Automatic orders</Trans>}>
            <Trans>
              There nobody confirms by hand: the buyer sends the payment into escrow, and when the chain has
              confirmed it, the trade releases by itself. One transaction pays both of you, or neither. A
              payment that arrived in time is not late, however long the chain takes.
            </Trans>
          </Point>
          <Point title={<Trans>Confirmations</Trans>}>
            <Trans>
              A deposit or a payout counts when the chain has confirmed it by the number of blocks that each
              screen shows. Until then the chain may still take it back, and then we take back what followed
              from it.
            </Trans>
          </Point>
          <Point title={<Trans>Deadlines</Trans>}>
            <Trans>
              Accepting, depositing, paying and confirming each have a time, which the order shows. An order
              that is not accepted or not paid in time ends. One that was marked as paid is never ended by us:
              its coins stay in escrow until the seller confirms or the buyer cancels. Time in which MEC2C was
              down does not count.
            </Trans>
          </Point>
          <Point title={<Trans>Disputes</Trans>}>
            <Trans>
              Appeals that an officer decides are not open yet. Until they are, a disputed order keeps its
              coins in escrow, and only the two of you can end it.
            </Trans>
          </Point>
          <Point title={<Trans>Credit</Trans>}>
            <Trans>
              You start with credit that falls when you cancel what you began: the first cancellations of a
              day are free, and before any other the screen says what it costs. With too little credit you
              cannot post ads. It is restored each month. Marking as paid what you did not pay is fraud.
            </Trans>
          </Point>
          <Point title={<Trans>Fees</Trans>}>
            <Trans>
              The buyer pays a fee for each trade, out of the coins. You see it, and what arrives, before you
              order. Returning or withdrawing coins costs the chain’s gas, which is shown before as well.
            </Trans>
          </Point>
          <Point title={<Trans>Yours to keep safe</Trans>}>
            <Trans>
              Your passwords, your pass and your wallet. Whoever has them acts as you, and a transaction on
              the chain cannot be called back by anybody. Use an account in your own name for payments, and
              trade only what the law where you live allows.
            </Trans>
          </Point>
        </Part>
        <Part title={<Trans>Privacy policy</Trans>}>
          <Point title={<Trans>What we know of you</Trans>}>
            <Trans>
              Your e-mail; from the pass your ME ID, region, how far you are verified and your bound address;
              your receiving address and payment methods; your ads, orders and fund records; and which devices
              you are logged in on. Passwords are kept only as hashes that cannot be turned back.
            </Trans>
          </Point>
          <Point title={<Trans>Who sees it</Trans>}>
            <Trans>
              Everybody: nickname, country, badges and the figures of your last 30 days. Whoever trades with
              you: what the payment needs, while the order runs. Everybody in the world: addresses and amounts
              of transactions, for a chain is public. We sell nothing of it and load no trackers.
            </Trans>
          </Point>
          <Point title={<Trans>On this device</Trans>}>
            <Trans>
              Two cookies keep you logged in for seven days, one keeps your language; theme and the like stay
              in this browser. Logging out removes the log-in.
            </Trans>
          </Point>
          <Point title={<Trans>How long</Trans>}>
            <Trans>
              Books of trades and money are never changed or deleted, so that every coin can be accounted for.
              The rest we keep as long as you have an account.
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
