import { Trans, useLingui } from '@lingui/react/macro'
import { nftName } from '@/api/nftName'
import type { Advert } from '@/api/types'
import { useMoney } from '@/components/useMoney'
import { useFormats } from '@/i18n/format'
import { AppLink } from '@/navigation/navigation'
import { Pill } from '@/ui/Badge'
import { Countdown } from '@/ui/Countdown'
import { ROW_LINK, Table, Td, Th, Tr } from '@/ui/Table'
import { STATE_LABELS } from './labels'

/** The ads of a desktop. The address has the ID of the ad whose details are beside them. */
export function AdvertTable({ adverts, selected }: { adverts: readonly Advert[]; selected: string }) {
  const { t } = useLingui()
  return (
    <Table
      label={t`My ads`}
      head={
        <>
          <Th>
            <Trans>Ad</Trans>
          </Th>
          <Th end>
            <Trans>Price</Trans>
          </Th>
          <Th end>
            <Trans>Remaining</Trans>
          </Th>
          <Th end>
            <Trans>Turnover</Trans>
          </Th>
          <Th end>
            <Trans context="of an ad">State</Trans>
          </Th>
        </>
      }
    >
      {adverts.map((advert) => (
        <Row key={advert.id} advert={advert} selected={advert.id === selected} />
      ))}
    </Table>
  )
}

function Row({ advert, selected }: { advert: Advert; selected: boolean }) {
  const { t } = useLingui()
  const { amount, time } = useFormats()
  const money = useMoney()
  const words = STATE_LABELS[advert.state]
  const deadline = advert.state === 'CREATING' ? (advert.deposit?.deadline ?? null) : null
  return (
    <Tr selected={selected}>
      <Td>
        <AppLink to="/myAdvert" query={{ id: advert.id }} current={selected} replace className={ROW_LINK}>
          <span className={`block font-semibold ${advert.side === 'SELL' ? 'text-sell' : 'text-brand'}`}>
            {advert.nft !== null ? (
              <Trans>Sell NFT</Trans>
            ) : advert.side === 'SELL' ? (
              <Trans>Sell {advert.base}</Trans>
            ) : (
              <Trans>Buy {advert.base}</Trans>
            )}
          </span>
          <span className="block text-muted text-xs [overflow-wrap:anywhere]">
            {advert.nft === null ? time(advert.createdAt) : nftName(advert.nft)}
          </span>
        </AppLink>
      </Td>
      <Td end>
        <span className="font-semibold">{amount(advert.price)}</span> {advert.quote}
      </Td>
      <Td end>
        {advert.nft === null ? (
          <>
            {amount(advert.remaining)} / {amount(advert.quantity)} {advert.base}
          </>
        ) : (
          '–'
        )}
      </Td>
      <Td end>
        {advert.completedOrders === 0 ? '–' : `${money(advert.turnover, advert.quote)} ${advert.quote}`}
      </Td>
      <Td end>
        <span className="flex flex-wrap items-center justify-end gap-x-2 gap-y-0.5">
          {deadline === null ? null : <Countdown deadline={deadline} className="font-semibold text-sm" />}
          <Pill tone={words.tone}>{t(words.text)}</Pill>
        </span>
      </Td>
    </Tr>
  )
}
