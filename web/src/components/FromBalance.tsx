import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { isApiError } from '@/api/envelope'
import type { Deposit } from '@/api/types'
import type { Command } from '@/command/useCommand'
import { useFormats } from '@/i18n/format'
import { compare } from '@/lib/money'
import { Button } from '@/ui/Button'
import { Card, CardTitle } from '@/ui/Card'
import { SecretField } from '@/ui/SecretField'
import { Sheet } from '@/ui/Sheet'

/** A command that takes part of what is missing out of the person's temporary balance. */
export type Giving = Command<{ fromBalance: string; secret: string }>

/** Said at the field itself. */
export function wrongSecret(error: unknown): boolean {
  return isApiError(error) && error.code === 'USER3011'
}

/** What the person holds in custody already need not be sent again. It leaves with the trade, so the password is asked. */
export function FromBalance({ deposit, giving }: { deposit: Deposit; giving: Giving }) {
  const { t } = useLingui()
  const { amount } = useFormats()
  const [asking, setAsking] = useState(false)
  const [secret, setSecret] = useState('')
  const [tried, setTried] = useState(false)
  const unit = deposit.asset
  const enough = compare(deposit.balance, deposit.shortfall) !== -1
  const part = enough ? deposit.shortfall : deposit.balance
  const fault = wrongSecret(giving.error)
    ? t`Incorrect security password.`
    : tried && secret === ''
      ? t`Enter your security password.`
      : ''
  const give = () => {
    setTried(true)
    if (secret !== '') giving.send({ fromBalance: part, secret })
  }
  const words = enough ? (
    <Trans>
      You have {amount(deposit.balance)} {unit}. Use {amount(part)} {unit} of it now, and there’s nothing left
      to send.
    </Trans>
  ) : (
    <Trans>
      You have {amount(deposit.balance)} {unit}. Use all of it now, and send only the rest.
    </Trans>
  )
  return (
    <Card>
      <CardTitle>
        <Trans>Use your temporary balance</Trans>
      </CardTitle>
      <p className="mb-3 text-muted text-sm leading-relaxed">{words}</p>
      <Button tone={enough ? 'brand' : 'plain'} wide onClick={() => setAsking(true)}>
        <Trans>
          Use {amount(part)} {unit}
        </Trans>
      </Button>
      <Sheet
        open={asking}
        onClose={() => setAsking(false)}
        title={t`Use your temporary balance`}
        footer={
          <Button size="large" wide busy={giving.busy} onClick={give}>
            <Trans>
              Deposit {amount(part)} {unit}
            </Trans>
          </Button>
        }
      >
        <div className="flex flex-col gap-3">
          <p className="leading-relaxed">{words}</p>
          <SecretField
            label={t`Security password`}
            autoComplete="off"
            value={secret}
            onChange={(value) => {
              setSecret(value)
              giving.clear()
            }}
            error={fault}
          />
        </div>
      </Sheet>
    </Card>
  )
}
