import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { albumConfig } from '@/api/nftQueries'
import type { AdvertKind, AdvertSide, Pair } from '@/api/types'
import NftLine from '@/components/nft/NftLine'
import { useCoins } from '@/components/useCoins'
import { useOwnCurrency } from '@/components/useOwnCurrency'
import { useLanguageStore } from '@/i18n/catalogs'
import { useFormats } from '@/i18n/format'
import { Segments } from '@/ui/Chip'
import { TextField } from '@/ui/Field'
import { RadioCards } from '@/ui/RadioCards'
import { chooseBase, chooseQuote, chooseSide, type Draft, editDraft } from './draft'

/** The number of currencies above which a search field appears. */
const MANY = 6

/** The step that selects the side, the base, the quote and the kind of release. */
export function TypeStep({ pairs, draft, tried }: { pairs: readonly Pair[]; draft: Draft; tried: boolean }) {
  const { t } = useLingui()
  const albums = useQuery(albumConfig).data ?? []
  const { isAlbum } = useCoins()
  const offered = pairs.filter((one) => one.sides.includes(draft.side))
  const bases = Array.from(new Set(offered.map((one) => one.base)))
  const nft = isAlbum(draft.base)
  const chosen = pairs.find((one) => one.base === draft.base && one.quote === draft.quote)
  const selling = draft.side === 'SELL'
  const kind = useRef<HTMLDivElement>(null)
  const asks = chosen?.automatic === true && draft.kind === null
  useEffect(() => {
    // The choice of a currency adds a question below the fold of a phone.
    if (asks) kind.current?.scrollIntoView({ block: 'center' })
  }, [asks])
  return (
    <>
      <Segments<AdvertSide>
        name="side"
        label={t`What do you want to do?`}
        value={draft.side}
        onChange={(side) => {
          if (!pairs.some((one) => one.base === draft.base && one.sides.includes(side))) chooseBase('')
          chooseSide(side)
        }}
        tone={{ SELL: 'text-sell', BUY: 'text-brand' }}
        options={[
          { value: 'SELL', label: t`I want to sell` },
          { value: 'BUY', label: t`I want to buy` },
        ]}
      />
      <RadioCards
        name="base"
        legend={selling ? t`What are you selling?` : t`What do you want to buy?`}
        value={draft.base}
        error={tried && draft.base === '' ? t`Choose an option.` : ''}
        onChange={chooseBase}
        options={bases.map((base) =>
          isAlbum(base)
            ? {
                value: base,
                title: albums.find((one) => one.code === base)?.name ?? base,
                note: t`NFTs of this album`,
              }
            : { value: base, title: base },
        )}
      />
      {draft.nft === null ? null : <NftLine nft={draft.nft} />}
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
            legend={nft ? t`How should the NFT be released?` : t`How should the coins be released?`}
            value={draft.kind ?? ''}
            error={tried && draft.kind === null ? t`Choose an option.` : ''}
            onChange={(kind) => {
              if (kind !== '') editDraft({ kind })
            }}
            options={[
              {
                value: 'MANUAL',
                title: t`Manual release`,
                note: nft
                  ? t`You accept the order and release the NFT once you’ve received the payment.`
                  : selling
                    ? t`You accept each order and release the coins once you’ve received the payment.`
                    : t`You deposit nothing. You accept each order, the seller deposits the coins into escrow, and then you pay the seller.`,
              },
              {
                value: 'AUTOMATIC',
                title: t`Automatic release`,
                note: nft
                  ? t`An order is accepted automatically, and the NFT and the payment are exchanged in a single transaction. There’s nothing for you to do.`
                  : selling
                    ? t`Orders are accepted automatically, and both sides settle in a single transaction. There’s nothing for you to do.`
                    : t`You deposit the ${draft.quote} into escrow first. Then orders are accepted automatically, and both sides settle in a single transaction.`,
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
          legend={draft.side === 'SELL' ? t`What do you want to be paid in?` : t`What do you pay with?`}
          value={draft.quote}
          error={error}
          onChange={(quote) => {
            const pair = pairs.find((one) => one.quote === quote)
            if (pair !== undefined) chooseQuote(pair)
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
