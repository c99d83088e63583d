import { Trans } from '@lingui/react/macro'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useFormats } from '@/i18n/format'
import { useNow } from '@/lib/clock'
import { Card, CardTitle } from '@/ui/Card'

/** The time of figures, which warns once they are out of date. */
export function AsOf({ at, staleAt }: { at: string; staleAt: string }) {
  const { clock, time } = useFormats()
  const now = useNow()
  const stale = now >= Date.parse(staleAt)
  // The time of day says too little about figures of another day.
  const shown = stale ? time(at) : clock(at)
  return (
    <time
      dateTime={at}
      title={time(at)}
      className={`flex items-center gap-1 text-sm ${stale ? 'font-semibold text-warn' : 'text-muted'}`}
    >
      {stale ? (
        <>
          <TriangleAlert size={15} className="shrink-0" aria-hidden="true" />
          <Trans>Out of date: as of {shown}</Trans>
        </>
      ) : (
        <Trans>As of {shown}</Trans>
      )}
    </time>
  )
}

/** Figures of one subject, with their time. */
export function FigureCard({
  title,
  aside,
  className = '',
  children,
}: {
  title: ReactNode
  aside: ReactNode
  className?: string
  children: ReactNode
}) {
  return (
    <Card className={`min-w-0 ${className}`}>
      <CardTitle aside={aside}>{title}</CardTitle>
      {children}
    </Card>
  )
}

/** A small table of figures: the first column names each row. */
export function FigureTable({
  label,
  corner,
  columns,
  rows,
}: {
  label: string
  /** The name of the first column. */
  corner: string
  /** The names of the others. */
  columns: readonly string[]
  rows: readonly { name: string; cells: readonly ReactNode[] }[]
}) {
  return (
    <table aria-label={label} className="w-full border-collapse max-sm:text-sm">
      <thead>
        <tr className="text-muted text-sm">
          <th scope="col" className="py-1 text-left font-medium">
            {corner}
          </th>
          {columns.map((column) => (
            <th key={column} scope="col" className="py-1 pl-3 text-right font-medium">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, cells }) => (
          <tr key={name} className="border-line border-t align-baseline">
            <th scope="row" className="py-2 text-left font-medium">
              {name}
            </th>
            {columns.map((column, place) => (
              <td key={column} className="py-2 pl-3 text-right tabular-nums [overflow-wrap:anywhere]">
                {cells[place]}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
