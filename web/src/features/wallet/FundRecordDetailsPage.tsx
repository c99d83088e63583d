import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { api, read } from '@/api/client'
import { tradedText } from '@/api/nftName'
import { keys, pollEvery } from '@/api/queries'
import { QueryError } from '@/command/QueryError'
import { StaleNotice } from '@/command/StaleNotice'
import { ChainRow } from '@/components/ChainRow'
import { NftPicture } from '@/components/nft/NftPicture'
import { useFormats } from '@/i18n/format'
import { compare } from '@/lib/money'
import { AppLink, useQueryParam } from '@/navigation/navigation'
import { Pill } from '@/ui/Badge'
import { buttonClass } from '@/ui/Button'
import { Card, Line } from '@/ui/Card'
import { Skeleton } from '@/ui/Skeleton'
import { EmptyState } from '@/ui/State'
import { effectLabel, recordTitle, signedAmount, stateLabel } from './labels'

/** One transfer: amount, addresses, confirmations. */
export default function FundRecordDetailsPage() {
  const { t } = useLingui()
  const { amount, time } = useFormats()
  const id = useQueryParam('id')
  const query = useQuery({
    queryKey: [...keys.fundRecords, 'one', id],
    queryFn: () => read(api.GET('/balance/record/{id}', { params: { path: { id } } })),
    refetchInterval: (query) => (query.state.data?.state === 'COMPLETED' ? false : pollEvery(5_000)(query)),
    enabled: id !== '',
  })
  if (id === '') return <EmptyState title={t`No record selected`} />
  const record = query.data
  if (record === undefined) {
    return query.isError ? (
      <QueryError error={query.error} retry={() => void query.refetch()} />
    ) : (
      <div className="flex flex-col gap-4 pt-3">
        <Skeleton className="mx-auto h-10 w-52" />
        <Skeleton className="h-72 w-full rounded-3xl" />
      </div>
    )
  }
  const state = stateLabel(record)
  const nft = record.nft
  const { sign, value } = signedAmount(record)
  const moved = (quantity: string) => tradedText(amount, { base: record.asset, nft }, quantity)
  const isTrade = record.type === 'RELEASE' || record.type === 'PAYMENT'
  return (
    <div className="flex flex-col gap-5 pt-4">
      <StaleNotice query={query} />
      <div className="flex flex-col items-center gap-2 text-center">
        {nft === null ? null : (
          <span className="size-28 overflow-hidden rounded-3xl">
            <NftPicture nft={nft} size="small" />
          </span>
        )}
        <p className="text-muted">{t(recordTitle(record))}</p>
        <p className={`font-bold text-3xl tracking-tight ${sign === '+' ? 'text-brand' : ''}`}>
          {sign}
          {moved(value)}
        </p>
        <p className="text-muted text-sm">{t(effectLabel(record))}</p>
        <Pill tone={state.tone}>{t(state.text)}</Pill>
      </div>
      <Card>
        <dl>
          {record.counterparty === null ? null : (
            <Line label={record.direction === 'OUT' ? t`Sent to` : t`Received from`}>
              {record.counterparty.nickname ?? '–'}
            </Line>
          )}
          {nft !== null ? null : (
            <Line label={record.direction === 'OUT' ? t`Amount sent` : t`Amount received`}>
              {amount(record.amount)} {record.asset}
            </Line>
          )}
          {nft === null && compare(record.cost, '0') === 1 ? (
            <Line label={isTrade ? t`Platform fee` : t`Network fee`}>
              {amount(record.cost)} {record.asset}
            </Line>
          ) : null}
          {nft !== null && compare(record.effect, '0') === 0 ? null : (
            <Line label={t`Balance change`} strong>
              {record.effect.startsWith('-') ? '−' : compare(record.effect, '0') === 1 ? '+' : ''}
              {moved(record.effect.replace('-', ''))}
            </Line>
          )}
          <Line label={t`Time`}>{time(record.at)}</Line>
          {record.confirmations === null ? null : (
            <Line label={t`Confirmations`}>
              <Trans>
                {record.confirmations.seen} of {record.confirmations.needed}
              </Trans>
            </Line>
          )}
          {record.hash === null ? null : <ChainRow label={t`Transaction`} kind="tx" value={record.hash} />}
          {record.from === null ? null : <ChainRow label={t`From`} kind="address" value={record.from} />}
          {record.to === null ? null : <ChainRow label={t`To`} kind="address" value={record.to} />}
        </dl>
      </Card>
      {record.orderId === null ? null : (
        <AppLink
          to="/orderDetail"
          query={{ id: record.orderId }}
          className={buttonClass('plain', 'normal', true)}
        >
          <Trans>View order</Trans>
        </AppLink>
      )}
    </div>
  )
}
