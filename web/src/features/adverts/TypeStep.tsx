import { Trans, useLingui } from '@lingui/react/macro'
import type { AdvertKind, Pair } from '@/api/types'
import { useFormats } from '@/i18n/format'
import { RadioCards } from '@/ui/RadioCards'
import { type Draft, editDraft } from './draft'

/** What is sold for what, and who does the confirming. */
export function TypeStep({ pairs, draft, tried }: { pairs: readonly Pair[]; draft: Draft; tried: boolean }) {
  const { t } = useLingui()
  const { amount } = useFormats()
  const chosen = pairs.find((one) => one.base === draft.base && one.quote === draft.quote)
  return (
    <>
      <RadioCards
        name="pair"
        legend={t`What are you selling?`}
        value={`${draft.base}/${draft.quote}`}
        error={tried && chosen === undefined ? t`Choose one.` : ''}
        onChange={(value) => {
          const [base = '', quote = ''] = value.split('/')
          const pair = pairs.find((one) => one.base === base && one.quote === quote)
          editDraft({
            base,
            quote,
            methodIds: [],
            price: '',
            orderMin: pair?.orderMin ?? '',
            orderMax: '',
            ...(pair?.automatic === true ? {} : { kind: 'MANUAL' }),
          })
        }}
        options={pairs.map((one) => ({
          value: `${one.base}/${one.quote}`,
          title: (
            <Trans>
              {one.base} for {one.quote}
            </Trans>
          ),
          note:
            one.lastPrice === null ? t`No trades yet` : t`Last price ${amount(one.lastPrice)} ${one.quote}`,
        }))}
      />
      {chosen?.automatic === true ? (
        <RadioCards<AdvertKind>
          name="kind"
          legend={t`Release method`}
          value={draft.kind}
          onChange={(kind) => editDraft({ kind })}
          options={[
            {
              value: 'MANUAL',
              title: t`Manual release`,
              note: t`You accept each order and release the coins once you’ve received the payment.`,
            },
            {
              value: 'AUTOMATIC',
              title: t`Automatic release`,
              note: t`Orders are accepted and settled automatically, both sides in a single transaction. You don’t have to do anything.`,
            },
          ]}
        />
      ) : null}
    </>
  )
}
