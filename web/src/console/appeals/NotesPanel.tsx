import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { EyeOff } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { read } from '@/api/createApi'
import { useErrorText } from '@/command/useErrorText'
import { useFormats } from '@/i18n/format'
import { Button } from '@/ui/Button'
import { TextArea } from '@/ui/Field'
import { Problem } from '@/ui/Problem'
import { api, useOfficerCommand } from '../client'
import { APPEALS, caseKey } from './data'
import { Panel } from './Fact'
import type { Case } from './types'

const LONGEST = 1_000

/** What the officers on the case tell each other. The parties never see it. */
export function NotesPanel({ found, officer }: { found: Case; officer: string }) {
  const { t } = useLingui()
  const { time } = useFormats()
  const { notes, summary } = found
  return (
    <Panel
      title={<Trans>Private notes</Trans>}
      aside={
        <span className="flex items-center gap-1.5 text-muted">
          <EyeOff size={15} aria-hidden="true" />
          <Trans>Officers only</Trans>
        </span>
      }
    >
      {notes.length === 0 ? (
        <p className="text-muted">
          <Trans>None yet.</Trans>
        </p>
      ) : (
        <ul className="flex flex-col gap-2.5">
          {notes.map((note) => (
            <li key={note.id}>
              <p className="flex justify-between gap-3 text-muted">
                <span className="font-medium text-ink">
                  {note.officerId === officer ? t`You` : note.officer}
                </span>
                {time(note.at)}
              </p>
              <p className="whitespace-pre-wrap leading-relaxed [overflow-wrap:anywhere]">{note.text}</p>
            </li>
          ))}
        </ul>
      )}
      {summary.endedAt === null ? <Composer id={summary.id} /> : null}
    </Panel>
  )
}

function Composer({ id }: { id: string }) {
  const { t } = useLingui()
  const client = useQueryClient()
  const [text, setText] = useState('')
  const write = useOfficerCommand({
    run: (body: { text: string }, headers) =>
      read(api.POST('/console/appeals/{id}/notes', { params: { path: { id } }, body, headers })),
    touches: [APPEALS],
    done: (changed) => {
      client.setQueryData(caseKey(id), changed)
      setText('')
    },
    refused: () => true,
  })
  const failure = useErrorText(write.error, 'command')
  const empty = text.trim() === ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!empty) write.send({ text: text.trim() })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-2 border-line border-t pt-3">
      <TextArea
        label={t`New note`}
        value={text}
        onChange={setText}
        maxLength={LONGEST}
        hint={t`The officers on the case see it, with your name. It can’t be removed.`}
      />
      <Problem>{failure}</Problem>
      <Button type="submit" tone="plain" size="small" busy={write.busy} disabled={empty} className="self-end">
        <Trans>Add the note</Trans>
      </Button>
    </form>
  )
}
