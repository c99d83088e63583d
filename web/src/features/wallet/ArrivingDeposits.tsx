import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { api, read } from '@/api/client'
import { tradedText } from '@/api/nftName'
import { keys, pollEvery } from '@/api/queries'
import type { FundRecord } from '@/api/types'
import { QueryError } from '@/command/QueryError'
import { StaleNotice } from '@/command/StaleNotice'
import { ChainText } from '@/components/ChainRow'
import { useFormats } from '@/i18n/format'
import { AppLink } from '@/navigation/navigation'
import { Card, CardTitle } from '@/ui/Card'
import { Meter } from '@/ui/Meter'
import { Skeleton } from '@/ui/Skeleton'

/** The newest deposits, among which are those that are being confirmed. */
const LATEST = 50

/** The deposits that are not final yet. */
export function ArrivingDeposits() {
  const { t } = useLingui()
  const list = useQuery({
    queryKey: [...keys.fundRecords, 'arriving'],
    queryFn: () =>
      read(api.GET('/balance/detail', { params: { query: { type: 'DEPOSIT', page: 1, size: LATEST } } })),
    refetchInterval: pollEvery(5_000),
  })
  const arriving = list.data?.records.filter((one) => one.state === 'CONFIRMING')
  return (
    <Card>
      <CardTitle>
        <Trans>Deposits on the way</Trans>
      </CardTitle>
      {arriving === undefined ? (
        list.isError ? (
          <QueryError error={list.error} retry={() => void list.refetch()} />
        ) : (
          <Skeleton className="h-14 w-full rounded-2xl" />
        )
      ) : (
        <>
          <StaleNotice query={list} />
          {arriving.length === 0 ? (
            <p className="text-muted text-sm leading-relaxed">
              <Trans>A transfer appears here once it’s on-chain, usually within a minute.</Trans>
            </p>
          ) : (
            <ul aria-label={t`Deposits on the way`}>
              {arriving.map((record) => (
                <Arriving key={record.id} record={record} />
              ))}
            </ul>
          )}
        </>
      )}
    </Card>
  )
}

function Arriving({ record }: { record: FundRecord }) {
  const { t } = useLingui()
  const { amount, time } = useFormats()
  const { confirmations, hash, id, nft } = record
  const { needed, seen } = confirmations ?? { needed: 1, seen: 0 }
  return (
    <li className="border-line border-b py-3 last:border-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <AppLink
          to="/fundRecordDetails"
          query={{ id }}
          className="inline-flex min-h-11 items-center font-semibold underline underline-offset-4"
        >
          +{tradedText(amount, { base: record.asset, nft }, record.amount)}
        </AppLink>
        <span className="text-sm">
          <Trans>
            {Math.min(seen, needed)} of {needed} confirmations
          </Trans>
        </span>
      </div>
      <Meter label={t`Confirmations`} needed={String(needed)} received={String(seen)} confirming="0" />
      <div className="mt-2 flex flex-wrap items-baseline justify-between gap-x-3 text-muted text-sm">
        {hash === null ? <span /> : <ChainText kind="tx" value={hash} />}
        <span>{time(record.at)}</span>
      </div>
    </li>
  )
}
