import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { isTyping, keyName, useShortcuts } from './shortcuts'

export interface Column<T> {
  title: string
  cell: (row: T) => ReactNode
  /** Right aligned, for numbers. */
  right?: boolean
}

/** A table whose rows are walked with j and k, and opened with Enter or a click. */
export function DataTable<T>({
  label,
  columns,
  rows,
  rowKey,
  onOpen,
  dense = false,
}: {
  label: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  rowKey: (row: T) => string
  onOpen?: (row: T) => void
  /** Less space between columns. */
  dense?: boolean
}) {
  const body = useRef<HTMLTableSectionElement>(null)
  const focusRow = (step: number) => {
    const all = Array.from(body.current?.rows ?? [])
    const at = all.findIndex((row) => row.matches(':focus'))
    const next = at < 0 ? 0 : Math.min(all.length - 1, Math.max(0, at + step))
    all[next]?.focus()
    all[next]?.scrollIntoView({ block: 'nearest' })
  }
  useShortcuts({ j: () => focusRow(1), k: () => focusRow(-1) })
  const press = (event: KeyboardEvent<HTMLTableRowElement>, row: T) => {
    if (event.target !== event.currentTarget || isTyping(event.target)) return
    const key = keyName(event)
    if (key === 'Enter' && onOpen !== undefined) {
      event.preventDefault()
      onOpen(row)
    } else if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault()
      focusRow(key === 'ArrowDown' ? 1 : -1)
    }
  }
  return (
    <div className="overflow-x-auto rounded-2xl bg-surface">
      <table aria-label={label} className="w-full border-collapse text-sm [&_button]:whitespace-nowrap">
        <thead>
          <tr className="border-line border-b text-left text-muted">
            {columns.map((column) => (
              <th
                key={column.title}
                scope="col"
                className={`${dense ? 'px-3' : 'px-4'} py-3 font-medium ${column.right === true ? 'text-right' : ''}`}
              >
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              tabIndex={0}
              onKeyDown={(event) => press(event, row)}
              onClick={(event) => {
                const inner =
                  event.target instanceof HTMLElement ? event.target.closest('a, button, label') : null
                if (inner === null) onOpen?.(row)
              }}
              className={`border-line border-b last:border-b-0 focus:bg-sunken focus:outline-none focus-visible:outline-2 focus-visible:outline-brand focus-visible:-outline-offset-2 ${onOpen === undefined ? '' : 'cursor-pointer hover:bg-sunken'}`}
            >
              {columns.map((column) => (
                <td
                  key={column.title}
                  className={`${dense ? 'px-3' : 'px-4'} py-3 align-top max-sm:min-w-24 ${column.right === true ? 'text-right' : ''}`}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
