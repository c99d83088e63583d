import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ArrowDownLeft, ArrowUpRight, ChevronRight, ReceiptText, Wallet } from 'lucide-react'
import { useState } from 'react'
import { api, read } from '@/api/client'
import { tradedText } from '@/api/nftName'
import { keys, nextPage, ownBalance, pollEvery } from '@/api/queries'
import type { BalanceLine, FundRecord, FundType } from '@/api/types'
import { QueryError } from '@/command/QueryError'
import { StaleNotice } from '@/command/StaleNotice'
import { AssetLines } from '@/components/AssetLines'
import { MoreRecords } from '@/components/MoreRecords'
import { NftPicture } from '@/components/nft/NftPicture'
import { useFormats } from '@/i18n/format'
import { AppLink } from '@/navigation/navigation'
import { Pill } from '@/ui/Badge'
import { Button } from '@/ui/Button'
import { Card, CardTitle } from '@/ui/Card'
import { Chip } from '@/ui/Chip'
import { revealFocused } from '@/ui/revealFocused'
import { Skeleton } from '@/ui/Skeleton'
import { EmptyState } from '@/ui/State'
import { effectLabel, recordTitle, signedAmount, stateLabel, TYPE_LABELS } from './labels'
import { Obstacles } from './Obstacles'
import { WithdrawSheet } from './WithdrawSheet'

const FILTERS: readonly FundType[] = ['DEPOSIT', 'WITHDRAWAL', 'RELEASE', 'PAYMENT', 'REFUND', 'RETURN']

/** The user's balances, and all transfers that changed them. */
export default function FundRecordPage() {
  const { t } = useLingui()
  const [type, setType] = useState<FundType | null>(null)
  return (
    <div className="flex flex-col gap-3 pt-2">
      <Balances />
      <div onFocus={revealFocused} className="scroll-row -mx-4 flex gap-2 xs:-mx-5 px-4 py-1 xs:px-5">
        <Chip on={type === null} onClick={() => setType(null)}>
          {t`All`}
        </Chip>
        {FILTERS.map((one) => (
          <Chip key={one} on={type === one} onClick={() => setType(one)}>
            {t(TYPE_LABELS[one])}
          </Chip>
        ))}
      </div>
      <Records type={type} />
    </div>
  )
}

function Balances() {
  const balance = useQuery(ownBalance)
  const [line, setLine] = useState<BalanceLine | null>(null)
  const data = balance.data
  if (data === undefined) {
    return balance.isError ? (
      <QueryError error={balance.error} retry={() => void balance.refetch()} />
    ) : (
      <Skeleton className="h-44 w-full rounded-3xl" />
    )
  }
  const blocked = data.lines.some(isBusy)
  return (
    <>
      <Card>
        <CardTitle
          aside={
            <AppLink
              to="/recharge"
              className="-my-2 inline-flex min-h-11 items-center font-medium text-brand text-sm"
            >
              <Trans>Deposit coins</Trans>
            </AppLink>
          }
        >
          <Trans>Your balances</Trans>
        </CardTitle>
        <StaleNotice query={balance} />
        <AssetLines
          lines={data.lines}
          renderAction={(one) => (
            <Button tone="plain" size="small" onClick={() => setLine(one)}>
              <Trans>Withdraw</Trans>
            </Button>
          )}
        />
        <AppLink
          to="/nft/list"
          className="-mb-2 flex min-h-12 items-center justify-between gap-3 border-line border-t font-medium"
        >
          <Trans>My NFTs</Trans>
          <ChevronRight size={18} className="text-muted" aria-hidden="true" />
        </AppLink>
        {line === null ? null : (
          <WithdrawSheet
            key={line.asset}
            line={line}
            to={data.boundAddress ?? '–'}
            onClose={() => setLine(null)}
          />
        )}
      </Card>
      {blocked ? <Obstacles /> : null}
    </>
  )
}

/** Returns whether ads or orders prevent the withdrawal of an asset. */
function isBusy({ blockedBy }: BalanceLine): boolean {
  return blockedBy === 'adverts' || blockedBy === 'orders'
}

function Records({ type }: { type: FundType | null }) {
  const { t } = useLingui()
  const list = useInfiniteQuery({
    queryKey: [...keys.fundRecords, type],
    queryFn: ({ pageParam }) =>
      read(
        api.GET('/balance/detail', {
          params: { query: { page: pageParam, size: 20, ...(type === null ? {} : { type }) } },
        }),
      ),
    initialPageParam: 1,
    getNextPageParam: nextPage,
    refetchInterval: pollEvery(10_000),
  })
  const records = list.data?.pages.flatMap((page) => page.records)
  if (records === undefined) {
    return list.isError ? (
      <QueryError error={list.error} retry={() => void list.refetch()} />
    ) : (
      <div aria-hidden="true" className="flex flex-col gap-5 py-4">
        {[1, 2, 3, 4].map((key) => (
          <Skeleton key={key} className="h-12 w-full rounded-2xl" />
        ))}
      </div>
    )
  }
  if (records.length === 0) {
    return (
      <EmptyState
        icon={ReceiptText}
        title={<Trans>No records</Trans>}
        text={
          <Trans>
            Your deposits, releases, refunds and withdrawals appear here, each with its transaction.
          </Trans>
        }
      />
    )
  }
  return (
    <>
      <StaleNotice query={list} />
      <ul aria-label={t`Fund records`}>
        {records.map((record) => (
          <RecordRow key={record.id} record={record} />
        ))}
      </ul>
      <MoreRecords list={list} />
    </>
  )
}

/** Icons by direction: into the balance, out of the balance, or directly to the user's own address. */
const ICONS = { IN: ArrowDownLeft, OUT: ArrowUpRight, DIRECT: Wallet } as const

function RecordRow({ record }: { record: FundRecord }) {
  const { t } = useLingui()
  const { amount, time } = useFormats()
  const state = stateLabel(record)
  const { sign, value } = signedAmount(record)
  const Icon = ICONS[record.direction]
  const nft = record.nft
  return (
    <li className="border-line border-b last:border-0">
      <AppLink to="/fundRecordDetails" query={{ id: record.id }} className="flex items-center gap-3.5 py-3.5">
        {nft !== null ? (
          <span className="size-10 shrink-0 overflow-hidden rounded-2xl">
            <NftPicture nft={nft} size="small" brief />
          </span>
        ) : (
          <span
            className={`grid size-10 shrink-0 place-items-center rounded-2xl ${sign === '+' ? 'bg-brand-soft text-brand' : 'bg-sunken text-ink'}`}
          >
            <Icon size={20} aria-hidden="true" />
          </span>
        )}
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-baseline justify-between gap-x-3">
            <span className="font-medium">{t(recordTitle(record))}</span>
            <span className="font-semibold">
              {sign}
              {tradedText(amount, { base: record.asset, nft }, value)}
            </span>
          </span>
          <span className="block text-muted text-sm [overflow-wrap:anywhere]">
            {record.counterparty?.nickname === undefined || record.counterparty.nickname === null
              ? null
              : `${record.counterparty.nickname} · `}
            {t(effectLabel(record))}
          </span>
          <span className="mt-1 flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
            <span className="text-muted text-sm">{time(record.at)}</span>
            <Pill tone={state.tone}>
              {t(state.text)}
              {record.state === 'CONFIRMING' && record.confirmations !== null
                ? ` ${record.confirmations.seen}/${record.confirmations.needed}`
                : ''}
            </Pill>
          </span>
        </span>
      </AppLink>
    </li>
  )
}
