import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useFormats } from '@/i18n/format'
import { Pill } from '@/ui/Badge'
import { FiledBy } from './AppealsPage'
import { renewCase } from './data'
import { Panel } from './Fact'
import { REASONS, RULINGS } from './labels'
import { Thumbnails } from './Thumbnails'
import type { Case, Party, PastDecision } from './types'

/** What the appeal says, the evidence of both sides, and what officers decided before. */
export function EvidencePanel({ found, show }: { found: Case; show: (file: string) => void }) {
  const { i18n } = useLingui()
  const { time } = useFormats()
  const { appeal, summary } = found
  return (
    <>
      <Panel
        title={<Trans>Appeal</Trans>}
        aside={<span className="text-muted">{time(summary.filedAt)}</span>}
      >
        <p className="font-medium">
          {i18n._(REASONS[summary.reason])}{' '}
          <span className="font-normal text-muted">
            · <FiledBy row={summary} />
          </span>
        </p>
        {appeal.specificReason === null ? null : (
          <blockquote className="whitespace-pre-wrap border-line border-l-2 pl-3 leading-relaxed [overflow-wrap:anywhere]">
            {appeal.specificReason}
          </blockquote>
        )}
        <div className="mt-1 grid grid-cols-2 gap-4 border-line border-t pt-3">
          {(['BUYER', 'SELLER'] as const).map((party) => (
            <Side key={party} found={found} party={party} show={show} />
          ))}
        </div>
      </Panel>
      {found.history.length === 0 ? null : <Decisions decisions={found.history} />}
    </>
  )
}

function Side({ found, party, show }: { found: Case; party: Party; show: (file: string) => void }) {
  const { t } = useLingui()
  const client = useQueryClient()
  const files = found.appeal.evidence.filter((one) => one.by === party).map((one) => one.file)
  const title = party === 'BUYER' ? t`Evidence of the buyer` : t`Evidence of the seller`
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-2">
      <h3 className="font-medium text-muted">{title}</h3>
      {files.length === 0 ? (
        <p className="text-muted">
          <Trans>None yet.</Trans>
        </p>
      ) : (
        <Thumbnails
          files={files}
          title={title}
          show={show}
          renew={() => renewCase(client, found.summary.id)}
        />
      )}
    </section>
  )
}

function Decisions({ decisions }: { decisions: readonly PastDecision[] }) {
  const { t } = useLingui()
  const { time } = useFormats()
  const names = useDecisionNames()
  return (
    <Panel title={<Trans>Decisions</Trans>}>
      <ol className="flex flex-col gap-3">
        {decisions.map((one) => (
          <li
            key={`${one.at} ${one.kind}`}
            className="border-line border-t pt-2.5 first:border-t-0 first:pt-0"
          >
            <p className="flex flex-wrap items-baseline justify-between gap-x-3">
              <span className="font-medium">{names(one)}</span>
              <span className="text-muted">
                {one.officer} · {time(one.at)}
              </span>
            </p>
            {one.malicious ? (
              <p className="py-1">
                <Pill tone="danger">{t`Malicious appeal`}</Pill>
              </p>
            ) : null}
            {one.note === '' ? null : (
              <p className="whitespace-pre-wrap text-muted [overflow-wrap:anywhere]">{one.note}</p>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  )
}

/** Returns the name of a decision: a ruling, or the proposal of one. */
function useDecisionNames(): (decision: PastDecision) => string {
  const { i18n, t } = useLingui()
  return ({ kind, winner }) => {
    // A proposal without a winner is that of a rejection.
    const ruling = i18n._(RULINGS[winner ?? 'REJECT'])
    if (kind === 'PROPOSAL') return t`Proposal: ${ruling}`
    if (kind === 'VERDICT') return ruling
    return kind === 'REJECTION' ? t`Appeal rejected` : t`Verdict revoked`
  }
}
