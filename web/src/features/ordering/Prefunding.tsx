import { Trans, useLingui } from '@lingui/react/macro'
import type { OrderPreview } from '@/api/types'
import { ChainRow } from '@/components/ChainRow'
import { WithdrawCondition } from '@/components/ending/WithdrawCondition'
import { useFormats } from '@/i18n/format'
import { Card, CardTitle, Line, Notice } from '@/ui/Card'

/** Says what a user who has let orders lapse needs before ordering on an automatic ad, and where to send what is missing. */
export function Prefunding({ needs }: { needs: NonNullable<OrderPreview['prefunding']> }) {
  const { t } = useLingui()
  const { amount } = useFormats()
  const enough = Number(needs.shortfall) === 0
  return (
    <Card>
      <CardTitle>
        <Trans>Taken from your temporary balance</Trans>
      </CardTitle>
      <Notice tone={enough ? 'info' : 'warn'}>
        {enough ? (
          <Trans>
            You’ve recently let orders lapse or lost credit, so this order takes the whole amount at once from
            your temporary balance.
          </Trans>
        ) : (
          <Trans>
            You’ve recently let orders lapse or lost credit. To order on automatic ads, you need the whole
            amount in your temporary balance first.
          </Trans>
        )}
      </Notice>
      {enough ? null : (
        <p className="mt-2 text-muted text-sm">
          <WithdrawCondition />
        </p>
      )}
      <dl className="mt-2">
        <Line label={t`Needed`} strong>
          {amount(needs.needed)} {needs.asset}
        </Line>
        <Line label={t`Available`}>
          {amount(needs.available)} {needs.asset}
        </Line>
        {enough ? null : (
          <>
            <Line label={t`Missing`}>
              {amount(needs.shortfall)} {needs.asset}
            </Line>
            <ChainRow label={t`Send it to`} kind="address" value={needs.address} />
          </>
        )}
      </dl>
    </Card>
  )
}
