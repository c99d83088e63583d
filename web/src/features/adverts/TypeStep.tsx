import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import type { AdvertKind, Pair } from '@/api/types'
import { useCoins } from '@/components/useCoins'
import { useOwnCurrency } from '@/components/useOwnCurrency'
import { useLanguageStore } from '@/i18n/catalogs'
import { useFormats } from '@/i18n/format'
import { TextField } from '@/ui/Field'
import { RadioCards } from '@/ui/RadioCards'
import { type Draft, editDraft } from './draft'

/** The number of currencies above which a search field appears. */
const MANY = 6

/** The step that selects the base, the quote and the kind of release. */
export function TypeStep({ pairs, draft, tried }: { pairs: readonly Pair[]; draft: Draft; tried: boolean }) {
  const { t } = useLingui()
  const bases = Array.from(new Set(pairs.map((one) => one.base)))
  const chosen = pairs.find((one) => one.base === draft.base && one.quote === draft.quote)
  const kind = useRef<HTMLDivElement>(null)
  const asks = chosen?.automatic === true && draft.kind === null
  useEffect(() => {
    // The choice of a currency adds a question below the fold of a phone.
    if (asks) kind.current?.scrollIntoView({ block: 'center' })
  }, [asks])
  return (
    <>
      <RadioCards
        name="base"
        legend={t`What are you selling?`}
        value={draft.base}
        error={tried && draft.base === '' ? t`Choose an option.` : ''}
        onChange={(base) => editDraft({ base, quote: '', kind: null, methodIds: [], price: '' })}
        options={bases.map((base) => ({ value: base, title: base }))}
      />
      {draft.base === '' ? null : (
        <Quotes
          key={draft.base}
          pairs={pairs.filter((one) => one.base === draft.base)}
          draft={draft}
          error={tried && chosen === undefined ? t`Choose an option.` : ''}
        />
      )}
      {chosen?.automatic === true ? (
        <div ref={kind}>
          <RadioCards<AdvertKind | ''>
            name="kind"
            legend={t`How should the coins be released?`}
            value={draft.kind ?? ''}
            error={tried && draft.kind === null ? t`Choose an option.` : ''}
            onChange={(kind) => {
              if (kind !== '') editDraft({ kind })
            }}
            options={[
              {
                value: 'MANUAL',
                title: t`Manual release`,
                note: t`You accept each order and release the coins once you’ve received the payment.`,
              },
              {
                value: 'AUTOMATIC',
                title: t`Automatic release`,
                note: t`Orders are accepted automatically, and both sides settle in a single transaction. There’s nothing for you to do.`,
              },
            ]}
          />
        </div>
      ) : null}
    </>
  )
}

/** The quotes to choose from: coins, the user's own currency, traded currencies, then all others. */
function Quotes({ pairs, draft, error }: { pairs: readonly Pair[]; draft: Draft; error: string }) {
  const { t } = useLingui()
  const { amount } = useFormats()
  const coins = useCoins()
  const tag = useLanguageStore((state) => state.language.tag)
  const [sought, setSought] = useState('')
  const names = new Intl.DisplayNames([tag], { type: 'currency', fallback: 'none' })
  const own = useOwnCurrency()
  const rank = ({ quote, lastPrice }: Pair) => {
    if (!coins.isFiat(quote)) return 0
    if (quote === own) return 1
    return lastPrice === null ? 3 : 2
  }
  const named = pairs
    .map((pair) => ({ pair, name: coins.isFiat(pair.quote) ? (names.of(pair.quote) ?? '') : '' }))
    .toSorted((a, b) => rank(a.pair) - rank(b.pair) || a.pair.quote.localeCompare(b.pair.quote))
  const wanted = sought.trim().toLocaleLowerCase(tag)
  const shown = named.filter(
    ({ pair, name }) =>
      pair.quote === draft.quote ||
      pair.quote.toLowerCase().includes(wanted) ||
      name.toLocaleLowerCase(tag).includes(wanted),
  )
  return (
    <div>
      {pairs.length > MANY ? (
        <TextField
          label={t`Search currencies`}
          type="search"
          value={sought}
          autoComplete="off"
          maxLength={40}
          onChange={setSought}
          hint={shown.length === 0 ? t`No matching currencies.` : ''}
        />
      ) : null}
      <div className="max-h-96 overflow-y-auto">
        <RadioCards
          name="quote"
          legend={t`What do you want to be paid in?`}
          value={draft.quote}
          error={error}
          onChange={(quote) => {
            const pair = pairs.find((one) => one.quote === quote)
            editDraft({
              quote,
              methodIds: [],
              price: '',
              orderMin: pair?.orderMin ?? '',
              orderMax: '',
              kind: pair?.automatic === true ? null : 'MANUAL',
            })
          }}
          options={shown.map(({ pair, name }) => ({
            value: pair.quote,
            title: name === '' ? pair.quote : `${pair.quote} – ${name}`,
            note:
              pair.lastPrice === null
                ? t`No trades yet`
                : t`Last price ${amount(pair.lastPrice)} ${pair.quote}`,
          }))}
        />
      </div>
    </div>
  )
}
