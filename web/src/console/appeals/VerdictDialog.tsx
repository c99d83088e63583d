import { Trans, useLingui } from '@lingui/react/macro'
import { Users } from 'lucide-react'
import { useState } from 'react'
import { read } from '@/api/createApi'
import { Notice } from '@/ui/Card'
import { RadioCards } from '@/ui/RadioCards'
import { api } from '../client'
import { DecisionDialog } from '../DecisionDialog'
import { useSnapshot } from '../useSnapshot'
import { Consequences } from './Consequences'
import { APPEALS, showCase } from './data'
import { opponent, REFUSALS, RULINGS } from './labels'
import { offered } from './offered'
import type { Case, Decided, Ruling } from './types'

/** The decision about an appeal: a verdict, a rejection, or the revocation of a verdict. */
export function VerdictDialog({
  found: current,
  officer,
  onClose,
}: {
  found: Case
  officer: string
  onClose: () => void
}) {
  const { i18n, t } = useLingui()
  const { data: found, snapshot } = useSnapshot(current)
  const { summary, allowed } = found
  const options = offered(allowed)
  const revocable = options.some((one) => one.ruling === 'REOPEN')
  // What the dialog was opened for, whatever another officer does meanwhile.
  const [revokes] = useState(revocable)
  const [chosen, setChosen] = useState<Ruling | null>(null)
  // What was chosen counts only as long as it is allowed: what is in escrow may have changed meanwhile.
  const ruling = revokes
    ? 'REOPEN'
    : (options.find((one) => one.ruling === chosen && one.allowed)?.ruling ?? null)
  const moot = revokes
    ? t`There’s no verdict left to revoke. The timeline shows what happened.`
    : summary.endedAt === null
      ? t`The appeal is already decided. The timeline shows what happened.`
      : t`The appeal has already ended. The timeline shows what happened.`
  const [marked, setMarked] = useState(false)
  const mayBeMalicious =
    summary.filedBy !== 'PLATFORM' && (ruling === 'REJECT' || ruling === opponent(summary.filedBy))
  const malicious = marked && mayBeMalicious
  const proposable = ruling !== null && ruling !== 'REOPEN'
  const { proposal } = summary
  const isProposed = allowed.some((one) => one.ruling === ruling && one.isProposed)
  const isOutdated = proposal?.ruling === ruling && !isProposed
  const agrees =
    proposable &&
    proposal !== null &&
    proposal.officerId !== officer &&
    isProposed &&
    proposal.malicious === malicious
  const proposes = proposable && summary.requires === 'TWO_OFFICERS' && !agrees
  const confirms: Record<Ruling, string> = proposes
    ? {
        BUYER: t`Propose: buyer wins`,
        SELLER: t`Propose: seller wins`,
        REJECT: t`Propose: reject the appeal`,
        REOPEN: t`Revoke the verdict`,
      }
    : {
        BUYER: t`Decide for the buyer`,
        SELLER: t`Decide for the seller`,
        REJECT: t`Reject the appeal`,
        REOPEN: t`Revoke the verdict`,
      }
  return (
    <DecisionDialog
      title={revokes ? t`Revoke the verdict` : t`Decide the appeal`}
      about={{ version: found.version, snapshot }}
      moot={revokes === revocable && options.length > 0 ? '' : moot}
      confirm={ruling === null ? t`Decide` : confirms[ruling]}
      dangerous={ruling === 'REOPEN' || malicious}
      effects={
        ruling === null ? (
          <Trans>Choose a decision to see what it does. Nothing changes yet.</Trans>
        ) : (
          <Consequences found={found} ruling={ruling} malicious={malicious} />
        )
      }
      problem={ruling === null ? t`Choose a decision.` : ''}
      reasonLabel={t`Note`}
      reasonMissing={t`Write a note. Both parties see it.`}
      reasonHint={
        ruling === 'REOPEN'
          ? t`Recorded in the audit log with your name.`
          : t`Both parties see it. It’s also in the audit log.`
      }
      said={(done: Decided) =>
        done.status === 'PROPOSED' ? t`Proposed. A second officer has to decide the same.` : null
      }
      touches={[APPEALS]}
      show={showCase}
      input={{ ruling: ruling ?? 'REJECT', malicious }}
      run={({ reason: note, ...body }, headers) =>
        read(
          api.POST('/console/appeals/{id}/decision', {
            params: { path: { id: summary.id } },
            body: { ...body, note },
            headers,
          }),
        )
      }
      onClose={onClose}
      choice={
        <div className="flex flex-col gap-3">
          {revokes ? null : (
            <div className="[&>fieldset]:mt-0 [&>fieldset]:grid [&>fieldset]:grid-cols-3">
              <RadioCards
                name="ruling"
                legend={<span className="sr-only">{t`Decision`}</span>}
                value={ruling}
                onChange={setChosen}
                options={options.map((one) => ({
                  value: one.ruling,
                  title: i18n._(RULINGS[one.ruling]),
                  disabled: !one.allowed,
                  note: one.refusal === null ? '' : i18n._(REFUSALS[one.refusal]),
                }))}
              />
            </div>
          )}
          {mayBeMalicious ? (
            <label className="flex min-h-11 items-center gap-3">
              <input
                type="checkbox"
                checked={marked}
                onChange={(event) => setMarked(event.target.checked)}
                className="size-5 accent-brand"
              />
              <Trans>The appeal is malicious</Trans>
            </label>
          ) : null}
          {proposes || agrees ? (
            <Notice tone="warn" icon={<Users size={18} aria-hidden="true" />}>
              {agrees ? (
                <Trans>{proposal.officer} has proposed the same. Your decision puts it into effect.</Trans>
              ) : (
                <>
                  <Trans>Your decision is a proposal until a second officer decides the same.</Trans>
                  {proposal === null ? null : (
                    <>
                      {' '}
                      {isOutdated ? (
                        <Trans>
                          It replaces the proposal by {proposal.officer}: since then, the order has changed,
                          and the same decision has other effects.
                        </Trans>
                      ) : (
                        <Trans>It replaces the proposal by {proposal.officer}.</Trans>
                      )}
                    </>
                  )}
                </>
              )}
            </Notice>
          ) : null}
        </div>
      }
    />
  )
}
