import { Plural } from '@lingui/react/macro'

/** The server counts up to this. */
const MOST = 1_000

/** How much waits, beside the name of a section or view. */
export function Count({ of: count }: { of: number }) {
  return (
    <span className="ml-1.5 min-w-5.5 shrink-0 whitespace-nowrap rounded-full bg-brand-soft px-1.5 text-center font-semibold text-brand text-sm tabular-nums">
      <span aria-hidden="true">{count >= MOST ? `${MOST - 1}+` : count}</span>
      <span className="sr-only">
        {' '}
        <Plural value={count} one="# waiting" other="# waiting" />
      </span>
    </span>
  )
}
