import { Trans, useLingui } from '@lingui/react/macro'
import { useFormats } from '@/i18n/format'
import { shorten } from '@/lib/text'
import { Pill } from '@/ui/Badge'
import { CopyFact, Fact, Panel } from './Fact'
import { TRANSACTION_STATES, transactionText } from './labels'
import { hasContinued } from './status'
import type { Case, Transaction } from './types'

/** The chain transactions of the order, as far as the officers see them. */
export function TransactionsPanel({ found }: { found: Case }) {
  const { transactions } = found
  return (
    <Panel title={<Trans>Chain transactions</Trans>}>
      {transactions.length === 0 ? (
        <p className="text-muted">
          {hasContinued(found) ? (
            <Trans>No transaction was confirmed before the appeal ended.</Trans>
          ) : (
            <Trans>No transaction belongs to this order.</Trans>
          )}
        </p>
      ) : (
        <ul className="flex flex-col gap-3">
          {transactions.map((one) => (
            <li
              key={`${one.kind} ${one.hash ?? ''} ${one.amount} ${one.at ?? ''}`}
              className="border-line border-t pt-2.5 first:border-t-0 first:pt-0"
            >
              <Chain transaction={one} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Chain({ transaction }: { transaction: Transaction }) {
  const { i18n, t } = useLingui()
  const { amount, count, time } = useFormats()
  const { asset, hash, from, to, at, block, confirmations } = transaction
  const state = TRANSACTION_STATES[transaction.state]
  return (
    <>
      <p className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 pb-0.5">
        <span className="font-medium">{i18n._(transactionText(transaction))}</span>
        <Pill tone={state.tone}>
          {i18n._(state.text)}
          {transaction.state === 'CONFIRMING' && confirmations !== null
            ? ` ${confirmations.seen}/${confirmations.needed}`
            : ''}
        </Pill>
      </p>
      <dl>
        <Fact label={t`Amount`}>
          <span className="font-semibold">
            {amount(transaction.amount)} {asset}
          </span>
        </Fact>
        {at === null ? null : <Fact label={t`Time`}>{time(at)}</Fact>}
        {block === null ? null : <Fact label={t`Block`}>{count(block)}</Fact>}
        {hash === null ? null : <CopyFact label={t`Hash`} value={hash} shown={shorten(hash)} />}
        {from === null ? null : <CopyFact label={t`From`} value={from} shown={shorten(from)} />}
        {to === null ? null : <CopyFact label={t`To`} value={to} shown={shorten(to)} />}
      </dl>
    </>
  )
}
