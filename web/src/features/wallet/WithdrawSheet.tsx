import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { api, read } from '@/api/client'
import { keys } from '@/api/queries'
import type { BalanceLine } from '@/api/types'
import { useCommand } from '@/command/useCommand'
import { isWrongSecurityPassword, SecurityPasswordField } from '@/components/SecurityPasswordField'
import { useFormats } from '@/i18n/format'
import { Button } from '@/ui/Button'
import { Line, Notice } from '@/ui/Card'
import { Sheet } from '@/ui/Sheet'
import { toast } from '@/ui/toast'
import { blockedLabel } from './labels'

/** Withdraws all temporary balance of an asset to the bound address. */
export function WithdrawSheet({ line, to, onClose }: { line: BalanceLine; to: string; onClose: () => void }) {
  const { t } = useLingui()
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
    touches: [keys.balance, keys.fundRecords],
    done: () => {
      toast(t`Withdrawal submitted.`)
      onClose()
    },
    refused: isWrongSecurityPassword,
  })
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
          <SecurityPasswordField value={secret} onChange={setSecret} tried={tried} command={withdraw} />
        </div>
      ) : (
        <Notice tone="info">{t(blockedLabel(line))}</Notice>
      )}
    </Sheet>
  )
}
