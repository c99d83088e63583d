import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { read } from '@/api/createApi'
import { api, useOfficerCommand } from '../client'
import { WAITING } from '../waiting'
import { APPEALS, colleagues } from './data'
import type { QueueRow } from './types'

interface Change {
  officerId: string | null
  before: string | null
}

/** The officer who is responsible for an appeal, and the choice of another one until the appeal has ended. */
export function Assignee({ row, officer }: { row: QueueRow; officer: string }) {
  const { t } = useLingui()
  const id = useId()
  const list = useQuery(colleagues)
  const assign = useOfficerCommand({
    run: (body: Change, headers) =>
      read(api.POST('/console/appeals/{id}/assignee', { params: { path: { id: row.id } }, body, headers })),
    touches: [APPEALS, WAITING],
  })
  const current = row.assignee
  if (row.endedAt !== null)
    return current === null ? null : (
      <span className="text-muted">
        <Trans>Assigned to: {current.name}</Trans>
      </span>
    )
  const named = (one: { id: string; name: string }) => (one.id === officer ? t`you` : one.name)
  const officers = list.data ?? []
  // While the list is loading, the select still has to show who is responsible.
  const listed = current === null || officers.some((one) => one.id === current.id)
  return (
    <span className="flex items-center gap-2">
      <label htmlFor={id} className="text-muted">
        <Trans>Assigned to</Trans>
      </label>
      <select
        id={id}
        // What was chosen counts at once, also while it is on its way.
        value={assign.busy ? (assign.pending?.officerId ?? '') : (current?.id ?? '')}
        disabled={assign.busy || list.data === undefined}
        onChange={(event) => {
          const { value } = event.target
          assign.send({ officerId: value === '' ? null : value, before: current?.id ?? null })
        }}
        className="select-chevron min-h-11 max-w-52 appearance-none rounded-xl border border-line bg-surface pr-9 pl-3 font-medium text-ink text-sm"
      >
        <option value="" className="bg-surface">
          {t`no one`}
        </option>
        {listed || current === null ? null : (
          <option value={current.id} className="bg-surface">
            {named(current)}
          </option>
        )}
        {officers.map((one) => (
          <option key={one.id} value={one.id} className="bg-surface">
            {one.open === 0 ? named(one) : `${named(one)} (${one.open})`}
          </option>
        ))}
      </select>
    </span>
  )
}
