import { Trans, useLingui } from '@lingui/react/macro'
import { RadioCards } from '@/ui/RadioCards'
import type { Payer } from './usePayers'

/** Says from whose account the payment must come. Users with accounts of several holders choose one. */
export function PayerChoice({
  payers,
  chosen,
  onChoose,
}: {
  payers: readonly Payer[]
  chosen: Payer
  onChoose: (id: string) => void
}) {
  const { t } = useLingui()
  const name = chosen.name
  return (
    <div>
      {payers.length < 2 ? null : (
        <RadioCards
          name="payer"
          legend={t`Whose account will you pay from?`}
          value={chosen.id}
          onChange={onChoose}
          options={payers.map((one) => ({ value: one.id, title: one.name }))}
        />
      )}
      <p className="mt-2 text-muted text-sm leading-relaxed">
        <Trans>
          The payment must come from an account in the name of {name}. The seller sees this name and compares
          it with the payment.
        </Trans>
      </p>
    </div>
  )
}
