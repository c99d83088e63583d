import { Trans, useLingui } from '@lingui/react/macro'
import type { TakerRequirements } from '@/api/types'
import { useRegions } from '@/components/useRegions'
import { AmountField } from '@/ui/AmountField'
import { Card, CardTitle } from '@/ui/Card'
import { SelectField } from '@/ui/Field'
import { requireOfTakers } from './draft'
import type { StepProps } from './PriceStep'

/** What the advertiser can require of whoever orders. */
export function TakerFields({
  required,
  refusal,
}: {
  required: TakerRequirements
  refusal: StepProps['refusal']
}) {
  const { t } = useLingui()
  const regions = useRegions().map(([value, label]) => ({ value, label }))
  return (
    <Card className="flex flex-col gap-3">
      <CardTitle>
        <Trans>Who can order (optional)</Trans>
      </CardTitle>
      <AmountField
        label={t`Minimum of completed orders`}
        unit=""
        value={required.completedOrders == null ? '' : `${required.completedOrders}`}
        onChange={(typed) => requireOfTakers({ completedOrders: typed === '' ? null : Number(typed) })}
        decimals={0}
        integerDigits={4}
        hint={t`In the last 30 days. Leave it empty for no minimum.`}
        error={refusal['takerRequirements.completedOrders']}
      />
      <label className="flex min-h-11 items-center gap-3">
        <input
          type="checkbox"
          checked={required.advancedVerification === true}
          onChange={(event) => requireOfTakers({ advancedVerification: event.target.checked })}
          className="size-5 shrink-0 accent-brand-fill"
        />
        <Trans>Only traders with advanced verification</Trans>
      </label>
      <SelectField
        label={t`Region of the trader`}
        value={required.region ?? ''}
        onChange={(region) => requireOfTakers({ region: region === '' ? null : region })}
        options={[{ value: '', label: t`Any region` }, ...regions]}
        error={refusal['takerRequirements.region']}
      />
    </Card>
  )
}
