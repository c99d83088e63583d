import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { MessagesSquare, ShieldCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { tradedText } from '@/api/nftName'
import { conversationList } from '@/api/talk'
import type { Conversation, TalkEntry } from '@/api/types'
import { QueryError } from '@/command/QueryError'
import { StaleNotice } from '@/command/StaleNotice'
import { LazyNftThumb } from '@/components/LazyNft'
import { MoreRecords } from '@/components/MoreRecords'
import { useFormats } from '@/i18n/format'
import { useNow } from '@/lib/clock'
import { AppLink } from '@/navigation/navigation'
import { Avatar, Pill } from '@/ui/Badge'
import { Skeleton } from '@/ui/Skeleton'
import { EmptyState } from '@/ui/State'
import { daysAgo } from './days'

/** The user's conversations, those with the newest message first. */
export default function ConversationList() {
  const { t } = useLingui()
  const list = useInfiniteQuery(conversationList)
  const found = list.data
  if (found === undefined) {
    return list.isError ? (
      <QueryError error={list.error} retry={() => void list.refetch()} />
    ) : (
      <div className="flex flex-col gap-6 pt-4" aria-hidden="true">
        {[1, 2, 3].map((key) => (
          <Skeleton key={key} className="h-14 w-full rounded-2xl" />
        ))}
      </div>
    )
  }
  if (found.length === 0)
    return (
      <EmptyState
        icon={MessagesSquare}
        title={<Trans>No chats yet</Trans>}
        text={<Trans>Each order has its own chat. Open one from the order.</Trans>}
      />
    )
  return (
    <>
      <StaleNotice query={list} />
      <ul aria-label={t`Chats`}>
        {found.map((one) => (
          <Row key={one.orderId} one={one} />
        ))}
      </ul>
      <MoreRecords list={list} />
    </>
  )
}

/** The number of characters of a message that the list shows. */
const SHOWN = 60

function beginning(text: string): string {
  const letters = Array.from(text.replaceAll('\n', ' '))
  return letters.length > SHOWN ? `${letters.slice(0, SHOWN).join('')}…` : letters.join('')
}

/** Shows the last message: its beginning, or what it consists of. */
function shortened({ text, files }: TalkEntry): ReactNode {
  if (text !== '') return beginning(text)
  if (files.length === 1)
    return files[0]?.file?.kind === 'VIDEO' ? <Trans>[Video]</Trans> : <Trans>[Picture]</Trans>
  return <Plural value={files.length} one="[# file]" other="[# files]" />
}

/**
 * Shows who wrote the last message, and what. Customer service has a badge, because a party could write any words. The texts are
 * isolated, so that characters of another direction in them cannot move the author.
 */
function LastMessage({ of: { last, role, nickname } }: { of: Conversation }) {
  const { t } = useLingui()
  const said = <bdi>{shortened(last)}</bdi>
  if (last.kind === 'OFFICER')
    return (
      <>
        <Pill tone="info">
          <ShieldCheck size={12} role="img" aria-label={t`Official message`} />
          <Trans context="author of an official message">Customer service</Trans>
        </Pill>{' '}
        {said}
      </>
    )
  if (last.author === role) return <Trans>You: {said}</Trans>
  return (
    <Trans>
      <bdi>{nickname}</bdi>: {said}
    </Trans>
  )
}

function Row({ one }: { one: Conversation }) {
  const { t } = useLingui()
  const { amount, minute, day } = useFormats()
  const today = daysAgo(one.last.at, useNow()) === 0
  const { last, unread } = one
  const buying = one.role === 'BUYER'
  const nft = one.nft
  const what = tradedText(amount, one, one.quantity)
  return (
    <li className="border-line border-b last:border-0">
      <AppLink to="/chat" query={{ id: one.orderId }} className="flex items-center gap-3 py-3.5">
        <Avatar name={one.nickname} size={44} />
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-baseline justify-between gap-x-3">
            <span className="min-w-0 font-semibold [overflow-wrap:anywhere]">{one.nickname}</span>
            <time dateTime={last.at} className="shrink-0 text-muted text-xs">
              {today ? minute(last.at) : day(last.at)}
            </time>
          </span>
          <span className="flex items-center gap-2 text-muted text-sm">
            {nft === null ? null : <LazyNftThumb nft={nft} />}
            <span className="min-w-0 [overflow-wrap:anywhere]">
              {buying ? <Trans>Buy {what}</Trans> : <Trans>Sell {what}</Trans>}
            </span>
          </span>
          <span className="flex items-center justify-between gap-3">
            <span
              className={`min-w-0 text-sm [overflow-wrap:anywhere] ${unread > 0 ? 'font-medium' : 'text-muted'}`}
            >
              <LastMessage of={one} />
            </span>
            {unread > 0 ? (
              <span className="min-w-5 shrink-0 rounded-full bg-brand-fill px-1.5 text-center font-bold text-on-brand text-xs leading-5">
                <span aria-hidden="true">{unread}</span>
                <span className="sr-only">{t`${unread} unread`}</span>
              </span>
            ) : null}
          </span>
        </span>
      </AppLink>
    </li>
  )
}
