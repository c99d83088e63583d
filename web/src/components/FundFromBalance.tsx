import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { Deposit } from '@/api/types'
import type { Command } from '@/command/useCommand'
import { useFormats } from '@/i18n/format'
import { compare } from '@/lib/money'
import { Button } from '@/ui/Button'
import { Card, CardTitle } from '@/ui/Card'
import { Sheet } from '@/ui/Sheet'
import { SecurityPasswordField } from './SecurityPasswordField'

/** Funds an ad or order from the user's temporary balance. */
export type FundCommand = Command<{ fromBalance: string; secret: string }>

/** Offers the temporary balance instead of a transfer. It moves money, so it requires the security password. */
export function FundFromBalance({ deposit, fund }: { deposit: Deposit; fund: FundCommand }) {
  const { t } = useLingui()
  const { amount } = useFormats()
  const [asking, setAsking] = useState(false)
  const [secret, setSecret] = useState('')
  const [tried, setTried] = useState(false)
  const unit = deposit.asset
  const enough = compare(deposit.balance, deposit.shortfall) !== -1
  const part = enough ? deposit.shortfall : deposit.balance
  const submit = () => {
    setTried(true)
    if (secret !== '') fund.send({ fromBalance: part, secret })
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
          <Button size="large" wide busy={fund.busy} onClick={submit}>
            <Trans>
              Use {amount(part)} {unit} from my balance
            </Trans>
          </Button>
        }
      >
        <div className="flex flex-col gap-3">
          <p className="leading-relaxed">{words}</p>
          <SecurityPasswordField value={secret} onChange={setSecret} tried={tried} command={fund} />
        </div>
      </Sheet>
    </Card>
  )
}
