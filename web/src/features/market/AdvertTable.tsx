import { Trans, useLingui } from '@lingui/react/macro'
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import type { HallAdvert } from '@/api/types'
import { PaymentLabels } from '@/components/PaymentLabels'
import { RequirementsPill } from '@/components/RequirementsPill'
import { TraderCell } from '@/components/TraderCell'
import { useFormats } from '@/i18n/format'
import { AppLink, useOwnQueryParam } from '@/navigation/navigation'
import { Pill } from '@/ui/Badge'
import { buttonClass } from '@/ui/Button'
import { ROW_LINK, Table, Td, Th, Tr } from '@/ui/Table'
import { defaultSort, filterHall, type HallFilter, hallAddress, type Sort } from './hallState'

/** The ads of the hall on a desktop. The address has the ID of the ad whose order form is beside them. */
export default function AdvertTable({
  hall,
  adverts,
  old,
}: {
  hall: HallFilter
  adverts: readonly HallAdvert[]
  /** Whether these are the ads of the previous filters. */
  old: boolean
}) {
  const { t } = useLingui()
  const selected = useOwnQueryParam('/', 'ad')
  return (
    <Table
      label={t`Ads`}
      className={old ? 'opacity-60 transition-opacity' : ''}
      head={
        <>
          <Th>
            <Trans>Advertiser</Trans>
          </Th>
          <SortedTh hall={hall} first={defaultSort(hall.wish)} second={opposite(defaultSort(hall.wish))}>
            <Trans>Price</Trans>
          </SortedTh>
          <SortedTh hall={hall} first="-quantity" second="quantity">
            <Trans>Available</Trans>
          </SortedTh>
          <Th>
            <Trans>Payment</Trans>
          </Th>
          <Th end>
            <span className="sr-only">
              <Trans>Place an order</Trans>
            </span>
          </Th>
        </>
      }
    >
      {adverts.map((advert) => (
        <Row key={advert.id} advert={advert} hall={hall} selected={advert.id === selected} />
      ))}
    </Table>
  )
}

function opposite(sort: Sort): Sort {
  return sort === 'price' ? '-price' : 'price'
}

/** A column that the ads can be sorted by: first in one direction, then in the other. */
function SortedTh({
  hall,
  first,
  second,
  children,
}: {
  hall: HallFilter
  first: Sort
  second: Sort
  children: ReactNode
}) {
  const usual = defaultSort(hall.wish)
  const now = hall.sort === '' ? usual : hall.sort
  const on = now === first || now === second
  const falling = now.startsWith('-')
  const next = now === first ? second : first
  const Arrow = falling ? ArrowDown : ArrowUp
  return (
    <Th end sort={on ? (falling ? 'descending' : 'ascending') : undefined}>
      <button
        type="button"
        onClick={() => filterHall({ ...hall, sort: next === usual ? '' : next })}
        className={`-my-2.5 inline-flex min-h-11 items-center gap-1 hover:text-ink ${on ? 'text-ink' : ''}`}
      >
        <Arrow size={13} aria-hidden="true" className={on ? '' : 'invisible'} />
        {children}
      </button>
    </Th>
  )
}

function Row({ advert, hall, selected }: { advert: HallAdvert; hall: HallFilter; selected: boolean }) {
  const { t } = useLingui()
  const { amount } = useFormats()
  const buying = advert.side === 'SELL'
  return (
    <Tr selected={selected}>
      <Td>
        <TraderCell person={advert.advertiser} />
      </Td>
      <Td end>
        <span className="font-semibold text-lg tracking-tight">{amount(advert.price)}</span>
        {/* All ads have the quote that is chosen beside the table. */}
        <span className="sr-only"> {advert.quote}</span>
      </Td>
      <Td end>
        <span className="block min-w-32">
          {amount(advert.remaining)} <span className="text-muted text-xs">{advert.base}</span>
        </span>
        <span className="block text-muted text-xs">
          {amount(advert.orderMin)} – {amount(advert.orderMax)} {advert.quote}
        </span>
      </Td>
      <Td>
        {advert.kind === 'AUTOMATIC' ? (
          <Pill tone="good">
            <Trans>Automatic</Trans>
          </Pill>
        ) : (
          <PaymentLabels advert={advert} />
        )}{' '}
        <RequirementsPill of={advert} />
      </Td>
      <Td end>
        {advert.mine ? (
          <Pill>
            <Trans>Your ad</Trans>
          </Pill>
        ) : (
          <AppLink
            to="/"
            query={{ ...hallAddress(hall), ad: advert.id }}
            replace
            current={selected}
            label={
              buying
                ? t`Buy ${advert.base} from ${advert.advertiser.nickname}`
                : t`Sell ${advert.base} to ${advert.advertiser.nickname}`
            }
            className={ROW_LINK}
          >
            <span className={`${buttonClass(buying ? 'brand' : 'sell', 'small', false)} min-w-16`}>
              {buying ? <Trans>Buy</Trans> : <Trans>Sell</Trans>}
            </span>
          </AppLink>
        )}
      </Td>
    </Tr>
  )
}
