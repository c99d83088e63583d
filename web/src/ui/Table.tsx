import type { KeyboardEvent, ReactNode } from 'react'

/** Moves the focus to the link of the next or previous row. */
function moveFocus(event: KeyboardEvent<HTMLTableSectionElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const links = Array.from(event.currentTarget.querySelectorAll('a'))
  const at = links.findIndex((link) => link.matches(':focus'))
  const link = links[at + (event.key === 'ArrowDown' ? 1 : -1)]
  if (at === -1 || link === undefined) return
  event.preventDefault()
  link.focus()
}

/**
 * A table of a desktop. Its rows have a link each, which covers the row, and which the arrow keys move between.
 */
export function Table({
  label,
  head,
  className = '',
  children,
}: {
  label: string
  head: ReactNode
  className?: string
  children: ReactNode
}) {
  return (
    <table aria-label={label} className={`w-full border-collapse text-sm ${className}`}>
      <thead>
        <tr className="border-line border-b text-muted text-xs">{head}</tr>
      </thead>
      {/* The keys are those of the links in the rows. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <tbody onKeyDown={moveFocus}>{children}</tbody>
    </table>
  )
}

export function Th({
  end = false,
  sort,
  children,
}: {
  end?: boolean
  sort?: 'ascending' | 'descending' | undefined
  children: ReactNode
}) {
  return (
    <th
      scope="col"
      aria-sort={sort}
      className={`px-2 py-2.5 font-medium first:pl-3 last:pr-3 ${end ? 'text-right' : 'text-left'}`}
    >
      {children}
    </th>
  )
}

/** A row. `selected`: its details are shown beside the table. */
export function Tr({ selected, children }: { selected: boolean; children: ReactNode }) {
  return (
    <tr
      className={`relative border-line border-b has-[a:focus-visible]:outline-2 has-[a:focus-visible]:-outline-offset-2 has-[a:focus-visible]:outline-brand ${selected ? 'bg-brand-soft' : 'hover:bg-surface'}`}
    >
      {children}
    </tr>
  )
}

export function Td({ end = false, children }: { end?: boolean; children: ReactNode }) {
  return <td className={`h-16 px-2 py-2 first:pl-3 last:pr-3 ${end ? 'text-right' : ''}`}>{children}</td>
}

/** The class of the link of a row: as large as the row. */
export const ROW_LINK = 'outline-none after:absolute after:inset-0'

/** The details of the selected row, which stay in sight while the table scrolls. */
export function Beside({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section
      aria-label={label}
      // A region that scrolls must be reachable with the keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="sticky top-16 mt-2 max-h-[calc(100dvh-4.5rem)] self-start overflow-y-auto overscroll-contain rounded-3xl border border-line px-5"
    >
      {children}
    </section>
  )
}
