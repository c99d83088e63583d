import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { FileQuestion } from 'lucide-react'
import { useState } from 'react'
import { read } from '@/api/createApi'
import { useErrorText } from '@/command/useErrorText'
import { useFormats } from '@/i18n/format'
import { Button } from '@/ui/Button'
import { Problem } from '@/ui/Problem'
import { api, useOfficerCommand } from '../client'
import { Due } from './Due'
import { APPEALS, caseKey } from './data'
import { Panel } from './Fact'
import { EVIDENCE, PARTIES } from './labels'
import { RequestDialog } from './RequestDialog'
import type { Case, EvidenceRequest } from './types'

/** What officers have asked the parties to prove, and whether they have answered. */
export function RequestsPanel({ found }: { found: Case }) {
  const [asking, setAsking] = useState(false)
  const { requests, summary } = found
  const open = summary.endedAt === null
  if (!open && requests.length === 0) return null
  return (
    <Panel title={<Trans>Requests for evidence</Trans>}>
      {requests.length === 0 ? (
        <p className="text-muted">
          <Trans>None yet.</Trans>
        </p>
      ) : (
        <ul className="flex flex-col gap-3">
          {requests.toReversed().map((request) => (
            <Request key={request.id} id={summary.id} request={request} open={open} />
          ))}
        </ul>
      )}
      {open ? (
        <Button tone="plain" size="small" className="self-end" onClick={() => setAsking(true)}>
          <FileQuestion size={16} aria-hidden="true" />
          <Trans>Ask for evidence…</Trans>
        </Button>
      ) : null}
      {asking ? <RequestDialog found={found} onClose={() => setAsking(false)} /> : null}
    </Panel>
  )
}

function Request({ id, request, open }: { id: string; request: EvidenceRequest; open: boolean }) {
  const { i18n } = useLingui()
  const { time } = useFormats()
  const { answeredAt, closedAt } = request
  const waits = open && answeredAt === null && closedAt === null
  const party = i18n._(PARTIES[request.party])
  return (
    <li className="flex flex-col gap-0.5 border-line border-t pt-2.5 first:border-t-0 first:pt-0">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-medium">
          {party}: {i18n._(EVIDENCE[request.kind])}
        </span>
        {answeredAt === null ? null : (
          <span className="text-brand">
            <Trans>answered {time(answeredAt)}</Trans>
          </span>
        )}
        {closedAt === null ? null : (
          <span className="text-muted">
            <Trans>taken back {time(closedAt)}</Trans>
          </span>
        )}
        {waits ? <Due at={request.dueAt} /> : null}
      </p>
      {request.details === null ? null : (
        <p className="whitespace-pre-wrap leading-relaxed [overflow-wrap:anywhere]">{request.details}</p>
      )}
      <p className="flex flex-wrap items-center justify-between gap-x-3 text-muted">
        <span>
          {request.officer} · {time(request.askedAt)}
        </span>
        {waits ? <CloseButton id={id} request={request} /> : null}
      </p>
    </li>
  )
}

/** Takes a request back. The party no longer sees it. */
function CloseButton({ id, request }: { id: string; request: EvidenceRequest }) {
  const { i18n, t } = useLingui()
  const client = useQueryClient()
  const close = useOfficerCommand({
    run: (body: { request: number }, headers) =>
      read(
        api.POST('/console/appeals/{id}/evidence-requests/close', {
          params: { path: { id } },
          body,
          headers,
        }),
      ),
    touches: [APPEALS],
    done: (changed) => client.setQueryData(caseKey(id), changed),
    refused: () => true,
  })
  const failure = useErrorText(close.error, 'command')
  const name = i18n._(EVIDENCE[request.kind])
  return (
    <span className="flex flex-col items-end">
      <button
        type="button"
        disabled={close.busy}
        aria-label={t`Take back: ${name}`}
        onClick={() => close.send({ request: request.id })}
        className="-my-2 min-h-11 underline decoration-dotted underline-offset-4 hover:text-ink"
      >
        <Trans>Take back</Trans>
      </button>
      <Problem>{failure}</Problem>
    </span>
  )
}
