import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft, Gavel, Hourglass, LogOut, UserCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { completed } from '@/api/createApi'
import { tradedText } from '@/api/nftName'
import { useFormats } from '@/i18n/format'
import { navigate } from '@/navigation/location'
import { Pill } from '@/ui/Badge'
import { Button, buttonClass, IconButton } from '@/ui/Button'
import { Notice } from '@/ui/Card'
import { Countdown } from '@/ui/Countdown'
import { api, useOfficerCommand } from '../client'
import { ConsoleLink } from '../routing'
import { useShortcuts } from '../shortcuts'
import { Age } from './Age'
import { FiledBy } from './AppealsPage'
import { Assignee } from './Assignee'
import { CaseTalk } from './CaseTalk'
import { Due } from './Due'
import { APPEALS, nextAfter, renewCase, renewEntry, talkOf } from './data'
import { EvidencePanel } from './EvidencePanel'
import { REASONS, REFUSALS, RULINGS, STATUSES } from './labels'
import { mediaOf } from './media'
import { NotesPanel } from './NotesPanel'
import { OrderPanel } from './OrderPanel'
import { offered } from './offered'
import { PartiesPanel } from './PartiesPanel'
import { RequestsPanel } from './RequestsPanel'
import { Requirement } from './Requirement'
import { SignalPills } from './SignalPills'
import { TransactionsPanel } from './TransactionsPanel'
import type { Case } from './types'
import { VerdictDialog } from './VerdictDialog'
import { Viewer } from './Viewer'

/** A case on one screen. Each column scrolls on its own, so that the verdict is always within reach. */
export function CaseScreen({ found, officer }: { found: Case; officer: string }) {
  const { t } = useLingui()
  const [deciding, setDeciding] = useState(false)
  const [shown, setShown] = useState<string | null>(null)
  const client = useQueryClient()
  const { id } = found.summary
  const talk = useQuery(talkOf(id))
  const media = mediaOf(found, talk.data ?? [])
  const decidable = found.allowed.some((one) => one.allowed)
  useShortcuts({
    ...(decidable ? { d: () => setDeciding(true) } : {}),
    ...(media.length > 0 ? { e: () => setShown(media[0]?.file.id ?? null) } : {}),
    b: () => navigate('/console/appeals'),
  })
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3">
      <Header found={found} officer={officer} decide={() => setDeciding(true)} />
      <Standing found={found} />
      <div className="grid min-h-0 flex-1 grid-cols-[minmax(18.5rem,0.82fr)_minmax(0,1.3fr)_minmax(21.5rem,1fr)] gap-4">
        <Column label={t`Order`}>
          <OrderPanel found={found} show={setShown} />
          <TransactionsPanel found={found} />
        </Column>
        <CaseTalk found={found} officer={officer} show={setShown} />
        <Column label={t`Statements and parties`}>
          <EvidencePanel found={found} show={setShown} />
          <RequestsPanel found={found} />
          <NotesPanel found={found} officer={officer} />
          <PartiesPanel parties={found.parties} />
        </Column>
      </div>
      {deciding ? <VerdictDialog found={found} officer={officer} onClose={() => setDeciding(false)} /> : null}
      {shown === null ? null : (
        <Viewer
          media={media}
          shown={shown}
          show={setShown}
          renew={({ entry }) => (entry === null ? renewCase(client, id) : void renewEntry(client, id, entry))}
          onClose={() => setShown(null)}
        />
      )}
    </div>
  )
}

/** A scrollable area must be reachable with the keyboard. */
const SCROLLABLE = { tabIndex: 0 } as const

function Column({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section
      aria-label={label}
      {...SCROLLABLE}
      className="relative flex min-h-0 flex-col gap-3 overflow-y-auto overscroll-contain rounded-2xl"
    >
      {children}
    </section>
  )
}

function Header({ found, officer, decide }: { found: Case; officer: string; decide: () => void }) {
  const { i18n, t } = useLingui()
  const { amount } = useFormats()
  const { summary, order } = found
  const status = STATUSES[summary.status]
  const decided = summary.status === 'DECIDED'
  const able = found.allowed.some((one) => one.allowed)
  const ended = summary.endedAt !== null
  return (
    <header className="flex items-start gap-3">
      <ConsoleLink
        to="/console/appeals"
        className="grid size-11 shrink-0 place-items-center rounded-full hover:bg-sunken"
      >
        <ArrowLeft size={20} aria-hidden="true" />
        <span className="sr-only">
          <Trans>Back to the appeals</Trans>
        </span>
      </ConsoleLink>
      <div className="flex min-w-0 flex-1 flex-col gap-1.5 pt-1.5">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="font-bold text-xl tracking-tight">
            <Trans>
              {tradedText(amount, order, order.quantity)} for {amount(order.total)} {order.quote}
            </Trans>
          </h1>
          <Pill tone={status.tone}>{i18n._(status.text)}</Pill>
          <span className="text-muted text-sm">
            {i18n._(REASONS[summary.reason])} · <FiledBy row={summary} /> · <Age since={summary.filedAt} />
          </span>
        </div>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
          <SignalPills signals={summary.signals} />
          {summary.dueAt === null ? null : <Due at={summary.dueAt} />}
          {summary.status === 'PENDING' ? (
            <span className="text-muted">
              <Requirement requires={summary.requires} />
            </span>
          ) : null}
          <Assignee row={summary} officer={officer} />
          <OfficerNames found={found} officer={officer} />
        </div>
      </div>
      <NextCase id={summary.id} first={!able || found.summary.proposal?.officerId === officer || decided} />
      {ended ? null : <LeaveButton id={summary.id} />}
      {ended ? null : (
        <Button tone={decided ? 'danger' : 'brand'} disabled={!able} onClick={decide} aria-keyshortcuts="d">
          <Gavel size={18} aria-hidden="true" />
          {decided ? t`Revoke the verdict…` : t`Decide…`}
          <kbd className="rounded-md bg-black/15 px-1.5 font-sans text-sm">D</kbd>
        </Button>
      )}
    </header>
  )
}

/** Leads to the case that waits longest. `first` says that there is nothing more important to do in this one. */
function NextCase({ id, first }: { id: string; first: boolean }) {
  const next = useQuery(nextAfter(id)).data?.appeal ?? null
  const to = next === null ? null : `/console/appeals/${next.id}`
  useShortcuts(to === null ? {} : { n: () => navigate(to) })
  if (to === null) return null
  return (
    <ConsoleLink to={to} className={buttonClass(first ? 'brand' : 'plain', 'normal', false)}>
      <Trans>Next case</Trans>
      <kbd className="rounded-md bg-black/15 px-1.5 font-sans text-sm">N</kbd>
    </ConsoleLink>
  )
}

function OfficerNames({ found, officer }: { found: Case; officer: string }) {
  const { t } = useLingui()
  const names = found.summary.officers.map((one) => (one.id === officer ? t`you` : one.name)).join(', ')
  return (
    <span className="flex items-center gap-1.5 text-muted">
      <UserCheck size={15} aria-hidden="true" />
      <Trans>On the case: {names}</Trans>
    </span>
  )
}

function LeaveButton({ id }: { id: string }) {
  const { t } = useLingui()
  const leave = useOfficerCommand({
    run: (_: null, headers) =>
      completed(api.POST('/console/appeals/{id}/leave', { params: { path: { id } }, body: {}, headers })),
    touches: [APPEALS],
    done: () => navigate('/console/appeals'),
  })
  return (
    <IconButton label={t`Leave the case`} title={t`Leave the case`} onClick={() => leave.send(null)}>
      <LogOut size={19} />
    </IconButton>
  )
}

/** The proposal or the verdict that stands, and why this officer cannot decide. */
function Standing({ found }: { found: Case }) {
  const { i18n } = useLingui()
  const { summary, appeal, allowed } = found
  const { proposal } = summary
  const { winner } = appeal
  const refusal = allowed.every((one) => !one.allowed)
    ? offered(allowed).find((one) => one.refusal !== null)?.refusal
    : null
  return (
    <>
      {summary.status === 'DECIDED' && summary.executesAt !== null && winner !== null ? (
        <Notice tone="info" icon={<Hourglass size={18} aria-hidden="true" />}>
          <span className="font-semibold">{i18n._(RULINGS[winner])}.</span>{' '}
          <Trans>
            The verdict is executed in <Countdown deadline={summary.executesAt} />. Until then, an officer can
            revoke it.
          </Trans>
        </Notice>
      ) : null}
      {proposal === null ? null : (
        <Notice tone="info" icon={<Hourglass size={18} aria-hidden="true" />}>
          <Trans>
            {proposal.officer} proposes: {i18n._(RULINGS[proposal.ruling])}. This needs the same decision by a
            second officer.
          </Trans>
        </Notice>
      )}
      {refusal ? <Notice tone="warn">{i18n._(REFUSALS[refusal])}</Notice> : null}
    </>
  )
}
