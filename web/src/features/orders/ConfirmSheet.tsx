import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { api, read } from '@/api/client'
import { isApiError } from '@/api/envelope'
import { keys } from '@/api/queries'
import type { Order } from '@/api/types'
import { useCommand } from '@/command/useCommand'
import { useReviewed } from '@/command/useReviewed'
import { LazyNftLine } from '@/components/LazyNft'
import { Movements } from '@/components/Movements'
import { PassProof } from '@/components/pass/PassProof'
import type { PassReturn } from '@/components/pass/passReturn'
import { isWrongSecurityPassword, SecurityPasswordField } from '@/components/SecurityPasswordField'
import { useTradeTexts } from '@/components/useTradeTexts'
import { hrefTo } from '@/navigation/navigation'
import { Button } from '@/ui/Button'
import { Line, Notice } from '@/ui/Card'
import { Problem } from '@/ui/Problem'
import { Sheet } from '@/ui/Sheet'
import { methodAdvice } from './methodAdvice'
import { RepeatedReport } from './RepeatedReport'

/** Releases what is sold. A release is irreversible, so it requires a checkbox and the security password. */
export default function ConfirmSheet({
  order,
  back,
  open,
  onClose,
}: {
  order: Order
  /** The parameters with which the pass returned this browser, if it did. */
  back: PassReturn | null
  open: boolean
  onClose: () => void
}) {
  const { t } = useLingui()
  const [looked, setLooked] = useState(false)
  const [secret, setSecret] = useState('')
  const [ticket, setTicket] = useState<string | null>(null)
  const [tried, setTried] = useState(false)
  const release = useCommand({
    run: async (input: { version: number; secret: string; ticket: string | null }, headers, seal) =>
      read(
        api.POST('/c2c/deal/order/confirm/{id}', {
          params: { path: { id: order.id } },
          body: {
            version: input.version,
            securityCode: await seal(input.secret),
            ...(input.ticket === null ? {} : { passTicket: input.ticket }),
          },
          headers,
        }),
      ),
    touches: [keys.orders, keys.fundRecords, keys.balance],
    done: onClose,
    refused: (error) => {
      // The approval has expired.
      if (isApiError(error) && error.code === '803') setTicket(null)
      return isWrongSecurityPassword(error)
    },
  })
  const { version, notice } = useReviewed(order.version, { open, pending: release.pending?.version })
  const payer = order.payerName
  const action = order.actions.find((one) => one.action === 'confirm')
  const needsPass = action?.pass === true
  const nft = order.nft
  const { sold, total } = useTradeTexts(order)
  const submit = () => {
    setTried(true)
    if (looked && secret !== '' && !(needsPass && ticket === null)) release.send({ version, secret, ticket })
  }
  return (
    <Sheet
      open={open}
      onClose={onClose}
      notice={notice}
      title={t`Release ${sold}?`}
      footer={
        <Button size="large" wide tone="strong" busy={release.busy} onClick={submit}>
          <Trans>Release {sold}</Trans>
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        {nft === null ? null : <LazyNftLine nft={nft} />}
        <dl className="rounded-2xl bg-sunken px-4 py-2">
          <Line label={t`You should have received`} strong>
            {total}
          </Line>
          <Line label={t({ message: 'From', context: 'who paid' })}>{order.counterparty.nickname}</Line>
          {payer === null ? null : (
            <Line label={t`The payment must come from`} strong>
              {payer}
            </Line>
          )}
          {order.payment?.reference == null ? null : (
            <Line label={t`Payment reference`}>{order.payment.reference}</Line>
          )}
        </dl>
        <RepeatedReport order={order} />
        {order.paymentSeen?.ambiguous === true ? (
          <Notice tone="warn">
            <Trans>
              The transfer detected on-chain may as well be another buyer’s payment. Confirm only if you know
              who sent it.
            </Trans>
          </Notice>
        ) : null}
        <Movements movements={action?.movements} role={order.role} about={order} />
        {order.payTo === null ? null : (
          <Notice tone="warn">{t(methodAdvice(order.payTo.type, 'SELLER'))}</Notice>
        )}
        <Notice tone="danger">
          {payer === null ? (
            <Trans>
              A release can’t be undone. Check that the payment came from an account in the buyer’s own name,
              and never release based on a screenshot.
            </Trans>
          ) : (
            <Trans>
              The payment must come from {payer}. If the payer’s name differs, don’t confirm. A release can’t
              be undone, so never release based on a screenshot.
            </Trans>
          )}
        </Notice>
        <label className="flex min-h-13 items-center gap-3 rounded-2xl border border-line px-4 py-3 has-checked:border-brand">
          <input
            type="checkbox"
            checked={looked}
            onChange={(event) => setLooked(event.target.checked)}
            className="size-5 shrink-0 accent-brand-fill"
          />
          <span>
            <Trans>I’ve checked my account and the payment has arrived.</Trans>
          </span>
        </label>
        {tried && !looked ? (
          <Problem>
            <Trans>Check your account first.</Trans>
          </Problem>
        ) : null}
        {needsPass ? (
          <>
            <Notice tone="warn">
              <Trans>
                Your account is on hold because it changed recently. To protect you, a release also needs your
                approval with the pass.
              </Trans>
            </Notice>
            <PassProof
              purpose={`confirm ${order.id}`}
              returnTo={hrefTo('/orderDetail', { id: order.id })}
              back={back}
              ticket={ticket}
              missing={tried && ticket === null}
              onTicket={setTicket}
            />
          </>
        ) : null}
        <SecurityPasswordField value={secret} onChange={setSecret} tried={tried} command={release} />
      </div>
    </Sheet>
  )
}
