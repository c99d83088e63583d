import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { api, read } from '@/api/client'
import { isApiError } from '@/api/envelope'
import { keys } from '@/api/queries'
import type { BalanceLine } from '@/api/types'
import { useCommand } from '@/command/useCommand'
import { useFormats } from '@/i18n/format'
import { Button } from '@/ui/Button'
import { Line, Notice } from '@/ui/Card'
import { SecretField } from '@/ui/SecretField'
import { Sheet } from '@/ui/Sheet'
import { toast } from '@/ui/toast'
import { blockedWords } from './labels'

/** All temporary balance of a coin back to the bound address: what leaves, what the gas takes, what arrives. */
export function WithdrawSheet({ line, to, onClose }: { line: BalanceLine; to: string; onClose: () => void }) {
  const { i18n, t } = useLingui()
  const { amount } = useFormats()
  const [secret, setSecret] = useState('')
  const [tried, setTried] = useState(false)
  const withdraw = useCommand({
    run: async (input: { asset: string; secret: string }, headers, seal) =>
      read(
        api.POST('/balance/extract', {
          body: { asset: input.asset, securityCode: await seal(input.secret) },
          headers,
        }),
      ),
    touches: [keys.balance, keys.funds],
    done: () => {
      toast(t`Withdrawal submitted.`)
      onClose()
    },
    refused: (error) => isApiError(error) && error.code === 'USER3011',
  })
  const secretFault =
    isApiError(withdraw.error) && withdraw.error.code === 'USER3011'
      ? t`Incorrect security password.`
      : tried && secret === ''
        ? t`Enter your security password.`
        : ''
  const submit = () => {
    setTried(true)
    if (secret !== '') withdraw.send({ asset: line.asset, secret })
  }
  return (
    <Sheet
      open
      onClose={onClose}
      title={t`Withdraw ${line.asset}`}
      footer={
        line.withdrawable ? (
          <Button size="large" wide busy={withdraw.busy} onClick={submit}>
            <Trans>
              Withdraw {amount(line.temporary)} {line.asset}
            </Trans>
          </Button>
        ) : undefined
      }
    >
      {line.withdrawable ? (
        <div className="flex flex-col gap-3">
          <dl className="rounded-2xl bg-sunken px-4 py-2">
            <Line label={t`Temporary balance`}>
              {amount(line.temporary)} {line.asset}
            </Line>
            <Line label={t`Network fee`}>
              {amount(line.gas)} {line.asset}
            </Line>
            <Line label={t`You receive`} strong>
              {line.arrives === null ? '–' : `${amount(line.arrives)} ${line.asset}`}
            </Line>
            <Line label={t`To your bound address`}>
              <span className="break-all text-sm">{to}</span>
            </Line>
          </dl>
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
        <Notice tone="info">{i18n._(blockedWords(line))}</Notice>
      )}
    </Sheet>
  )
}
