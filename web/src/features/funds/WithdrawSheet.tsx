import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { api, read } from '@/api/client'
import { isApiError } from '@/api/envelope'
import type { BalanceLine } from '@/api/expected'
import { keys } from '@/api/queries'
import { seal } from '@/command/seal'
import { useCommand } from '@/command/useCommand'
import { useFormats } from '@/i18n/format'
import { compare, parse, subtract } from '@/lib/money'
import { useCoins } from '@/parts/coins'
import { AmountField } from '@/ui/AmountField'
import { Button } from '@/ui/Button'
import { Line, Notice } from '@/ui/Card'
import { SecretField } from '@/ui/SecretField'
import { Sheet } from '@/ui/Sheet'
import { toast } from '@/ui/toast'
import { BLOCKED } from './words'

/** Temporary balance back to the bound address: what leaves, what the gas takes, what arrives. */
export function WithdrawSheet({ line, to, onClose }: { line: BalanceLine; to: string; onClose: () => void }) {
  const { i18n, t } = useLingui()
  const { amount } = useFormats()
  const coins = useCoins()
  const [typed, setTyped] = useState(line.temporary)
  const [secret, setSecret] = useState('')
  const [tried, setTried] = useState(false)
  const withdraw = useCommand({
    run: async (input: { amount: string; secret: string }, headers) =>
      read(
        api.POST('/balance/extract', {
          body: { asset: line.asset, amount: input.amount, securityCode: await seal(input.secret) },
          headers,
        }),
      ),
    touches: [keys.balance, keys.funds],
    done: () => {
      toast(t`The withdrawal is on its way.`)
      onClose()
    },
    refused: (error) => isApiError(error) && error.code === 'USER3011',
  })
  const arrives = parse(typed) === null ? null : subtract(typed, line.gas)
  const amountFault =
    parse(typed) === null
      ? t`Enter an amount.`
      : compare(typed, line.temporary) === 1
        ? t`You have ${amount(line.temporary)} ${line.asset}.`
        : arrives === null || compare(arrives, '0') !== 1
          ? t`More than the gas of ${amount(line.gas)} ${line.asset}, please.`
          : ''
  const secretFault =
    isApiError(withdraw.error) && withdraw.error.code === 'USER3011'
      ? t`The security password is wrong.`
      : tried && secret === ''
        ? t`Enter your security password.`
        : ''
  const blocked = line.withdrawable ? undefined : (BLOCKED[line.blockedBy ?? ''] ?? BLOCKED['nothing'])
  const submit = () => {
    setTried(true)
    if (amountFault === '' && secret !== '') withdraw.send({ amount: typed, secret })
  }
  return (
    <Sheet
      open
      onClose={onClose}
      title={t`Withdraw ${line.asset}`}
      footer={
        blocked === undefined ? (
          <Button size="large" wide busy={withdraw.busy} onClick={submit}>
            <Trans>
              Withdraw {amount(typed)} {line.asset}
            </Trans>
          </Button>
        ) : undefined
      }
    >
      {blocked === undefined ? (
        <div className="flex flex-col gap-2">
          <AmountField
            label={t`Amount`}
            unit={line.asset}
            value={typed}
            onChange={setTyped}
            decimals={coins.scale(line.asset)}
            integerDigits={12}
            error={tried ? amountFault : ''}
            hint={t`Temporary balance: ${amount(line.temporary)} ${line.asset}`}
            action={
              <Button tone="quiet" size="small" onClick={() => setTyped(line.temporary)}>
                <Trans>Max</Trans>
              </Button>
            }
          />
          <dl className="rounded-2xl bg-sunken px-4 py-2">
            <Line label={t`Gas`}>
              {amount(line.gas)} {line.asset}
            </Line>
            <Line label={t`Arrives`} strong>
              {arrives === null || compare(arrives, '0') !== 1 ? '–' : `${amount(arrives)} ${line.asset}`}
            </Line>
            <Line label={t`At your bound address`}>
              <span className="break-all text-sm">{to}</span>
            </Line>
          </dl>
          <div className="h-1" />
          <SecretField
            label={t`Security password`}
            autoComplete="off"
            value={secret}
            onChange={(value) => {
              setSecret(value)
              withdraw.clear()
            }}
            error={secretFault}
          />
        </div>
      ) : (
        <Notice tone="info">{i18n._(blocked)}</Notice>
      )}
    </Sheet>
  )
}
