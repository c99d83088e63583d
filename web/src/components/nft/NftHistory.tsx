import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { nftHistory } from '@/api/nftQueries'
import type { NftTransfer } from '@/api/nfts'
import { QueryError } from '@/command/QueryError'
import { ChainText } from '@/components/ChainRow'
import { MoreButton } from '@/components/MoreButton'
import { useMoney } from '@/components/useMoney'
import { useFormats } from '@/i18n/format'
import { Pill } from '@/ui/Badge'
import { Card, CardTitle } from '@/ui/Card'
import { Skeleton } from '@/ui/Skeleton'
import { EVENT_LABELS } from './eventLabels'

/** The on-chain history of an NFT as a timeline, newest first, with the prices of trades on the platform. */
export function NftHistory({ id }: { id: string }) {
  const { t } = useLingui()
  const list = useInfiniteQuery(nftHistory(id))
  const transfers = list.data?.pages.flatMap((page) => page.records)
  return (
    <Card>
      <CardTitle>
        <Trans>On-chain history</Trans>
      </CardTitle>
      {transfers === undefined ? (
        list.isError ? (
          <QueryError error={list.error} retry={() => void list.refetch()} />
        ) : (
          <Skeleton className="h-40 w-full rounded-2xl" />
        )
      ) : transfers.length === 0 ? (
        <p className="text-muted text-sm">
          <Trans>Nothing has happened on-chain yet.</Trans>
        </p>
      ) : (
        <ol aria-label={t`On-chain history`}>
          {transfers.map((transfer, index) => (
            <Entry
              key={`${transfer.hash} ${transfer.event} ${transfer.from} ${transfer.to}`}
              transfer={transfer}
              last={index === transfers.length - 1}
            />
          ))}
        </ol>
      )}
      <MoreButton list={list} />
    </Card>
  )
}

function Entry({ transfer, last }: { transfer: NftTransfer; last: boolean }) {
  const { t } = useLingui()
  const { time } = useFormats()
  const money = useMoney()
  const { event, from, to, price, quote } = transfer
  return (
    <li className="flex gap-3.5">
      <span aria-hidden="true" className="flex flex-col items-center">
        <span
          className={`mt-1.5 size-3 shrink-0 rounded-full ${transfer.confirmed ? 'bg-brand-fill' : 'border-2 border-warn'}`}
        />
        {last ? null : <span className="mt-1 min-h-4 w-0.5 flex-1 rounded bg-line" />}
      </span>
      <div className={`min-w-0 flex-1 ${last ? '' : 'pb-4'}`}>
        <p className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="font-medium">
            {t(EVENT_LABELS[event])}{' '}
            {transfer.confirmed ? null : (
              <Pill tone="warn">
                <Trans>Confirming</Trans>
              </Pill>
            )}
          </span>
          {price === null || quote === null ? null : (
            <span className="font-semibold">
              {money(price, quote)} {quote}
            </span>
          )}
        </p>
        <p className="text-muted text-sm">{time(transfer.at)}</p>
        <p className="text-muted text-sm [overflow-wrap:anywhere]">
          {from !== null && to !== null ? (
            <Trans>
              from <ChainText kind="address" value={from} /> to <ChainText kind="address" value={to} />
            </Trans>
          ) : to !== null ? (
            <Trans>
              to <ChainText kind="address" value={to} />
            </Trans>
          ) : from !== null ? (
            <Trans>
              from <ChainText kind="address" value={from} />
            </Trans>
          ) : null}
        </p>
        <p className="text-muted text-sm [overflow-wrap:anywhere]">
          <ChainText kind="tx" value={transfer.hash} />
        </p>
      </div>
    </li>
  )
}
