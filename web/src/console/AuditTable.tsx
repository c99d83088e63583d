import { useLingui } from '@lingui/react/macro'
import { useFormats } from '@/i18n/format'
import { DataTable } from './DataTable'
import { detailLines } from './details'
import { useLabels } from './labels'
import { ConsoleLink } from './routing'
import type { AuditEntry } from './types'

/** Entries of the audit log. */
export function AuditTable({ label, entries }: { label: string; entries: readonly AuditEntry[] }) {
  const { t } = useLingui()
  const { day, clock } = useFormats()
  const labels = useLabels()
  return (
    <DataTable
      label={label}
      rows={entries}
      rowKey={(entry) => String(entry.id)}
      columns={[
        {
          title: t`Time`,
          cell: (entry) => (
            <span className="whitespace-nowrap">
              {day(entry.at)} {clock(entry.at)}
            </span>
          ),
        },
        { title: t`Officer`, cell: (entry) => entry.officer },
        { title: t`Action`, cell: (entry) => labels.action(entry.action) },
        { title: t`Subject`, cell: (entry) => <Subject entry={entry} /> },
        {
          title: t`Details and reason`,
          cell: (entry) => (
            <div className="flex max-w-md flex-col gap-0.5 [overflow-wrap:anywhere]">
              {detailLines(entry.details).map((line) => (
                <span key={line} className="text-muted">
                  {line}
                </span>
              ))}
              <span className="whitespace-pre-line">{entry.reason}</span>
            </div>
          ),
        },
        { title: t`Address`, cell: (entry) => (entry.address === '' ? t`Command line` : entry.address) },
      ]}
    />
  )
}

function Subject({ entry }: { entry: AuditEntry }) {
  const labels = useLabels()
  const kind = labels.subject(entry.subjectKind)
  if (entry.subjectId === '') return kind
  const short = entry.subjectId.length > 8 ? `…${entry.subjectId.slice(-8)}` : entry.subjectId
  const text = `${kind} ${short}`
  const link = 'font-medium text-brand whitespace-nowrap hover:underline'
  if (entry.subjectKind === 'user')
    return (
      <ConsoleLink to={`/console/users/${entry.subjectId}`} className={link}>
        {text}
      </ConsoleLink>
    )
  if (entry.subjectKind === 'pair')
    return (
      <ConsoleLink to={`/console/pairs/${entry.subjectId}`} className={link}>
        {text}
      </ConsoleLink>
    )
  return (
    <span title={entry.subjectId} className="whitespace-nowrap">
      {text}
    </span>
  )
}
