import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { read } from '@/api/createApi'
import { useErrorText } from '@/command/useErrorText'
import { Dialog } from '@/ui/Dialog'
import { SelectField, TextArea } from '@/ui/Field'
import { Problem } from '@/ui/Problem'
import { RadioCards } from '@/ui/RadioCards'
import { toast } from '@/ui/toast'
import { api, useOfficerCommand } from '../client'
import { SendFooter } from '../SendFooter'
import { useSendKey } from '../shortcuts'
import { APPEALS, caseKey } from './data'
import { EVIDENCE, PARTIES } from './labels'
import type { Case, EvidenceKind, Party } from './types'

const LONGEST = 300
const KINDS = [
  'BANK_STATEMENT',
  'TRANSFER_RECEIPT',
  'ACCOUNT_HOLDER',
  'SCREEN_RECORDING',
  'CONVERSATION',
  'OTHER',
] as const satisfies readonly EvidenceKind[]
const HOURS = [6, 12, 24, 48, 72, 168] as const

/** Asks a party for evidence, until a time. */
export function RequestDialog({ found, onClose }: { found: Case; onClose: () => void }) {
  const { i18n, t } = useLingui()
  const client = useQueryClient()
  const { id } = found.summary
  const [party, setParty] = useState<Party | null>(null)
  const [kind, setKind] = useState<EvidenceKind | ''>('')
  const [details, setDetails] = useState('')
  const [hours, setHours] = useState(24)
  const [tried, setTried] = useState(false)
  const command = useOfficerCommand({
    run: (body: { party: Party; kind: EvidenceKind; details: string | null; hours: number }, headers) =>
      read(api.POST('/console/appeals/{id}/evidence-requests', { params: { path: { id } }, body, headers })),
    touches: [APPEALS],
    done: (changed) => {
      client.setQueryData(caseKey(id), changed)
      toast(t`Asked. The party is notified.`)
      onClose()
    },
    refused: () => true,
  })
  const failure = useErrorText(command.error, 'command')
  const words = details.trim()
  const missing = kind === 'OTHER' && words === '' ? t`Say what you ask for.` : ''
  const send = () => {
    setTried(true)
    if (party === null || kind === '' || missing !== '') return
    command.send({ party, kind, details: words === '' ? null : words, hours })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send()
  }
  useSendKey(send, true)
  // The outcome is shown here.
  const close = () => {
    if (!command.busy) onClose()
  }
  const replaced = found.requests.find(
    (one) => one.party === party && one.answeredAt === null && one.closedAt === null,
  )
  return (
    <Dialog open onClose={close} title={t`Ask for evidence`}>
      <form onSubmit={submit} noValidate className="flex flex-col gap-3">
        <div className="[&>fieldset]:mt-0 [&>fieldset]:grid [&>fieldset]:grid-cols-2">
          <RadioCards
            name="party"
            legend={t`Who is asked`}
            value={party}
            onChange={setParty}
            options={(['BUYER', 'SELLER'] as const).map((value) => ({
              value,
              title: i18n._(PARTIES[value]),
              note: (value === 'BUYER' ? found.parties.buyer : found.parties.seller).nickname ?? '',
            }))}
            error={tried && party === null ? t`Choose who is asked.` : ''}
          />
        </div>
        <SelectField
          label={t`Evidence`}
          placeholder={t`Choose`}
          value={kind}
          onChange={(value) => setKind(KINDS.find((one) => one === value) ?? '')}
          options={KINDS.map((value) => ({ value, label: i18n._(EVIDENCE[value]) }))}
          hint={t`The party reads this in the language of their app.`}
          error={tried && kind === '' ? t`Choose what you ask for.` : ''}
        />
        <TextArea
          label={kind === 'OTHER' ? t`Details` : t`Details (optional)`}
          aside={
            <span className="text-muted">
              {details.length} / {LONGEST}
            </span>
          }
          value={details}
          onChange={setDetails}
          maxLength={LONGEST}
          hint={t`In your own words, such as the dates or the account. Only this party sees them.`}
          error={tried ? missing : ''}
        />
        <SelectField
          label={t`Time to answer`}
          value={String(hours)}
          onChange={(value) => setHours(HOURS.find((one) => String(one) === value) ?? 24)}
          options={HOURS.map((value) => ({
            value: String(value),
            label: value < 48 ? t`${value} hours` : t`${value / 24} days`,
          }))}
          hint={t`Nothing happens automatically when it ends: you decide what a missing answer means.`}
        />
        {replaced === undefined ? null : (
          <p className="text-muted text-sm">
            <Trans>
              It replaces the request that this party has not answered: {i18n._(EVIDENCE[replaced.kind])}.
            </Trans>
          </p>
        )}
        <Problem>{failure}</Problem>
        <SendFooter busy={command.busy} cancel={close}>
          <Trans>Ask</Trans>
        </SendFooter>
      </form>
    </Dialog>
  )
}
