import { Trans, useLingui } from '@lingui/react/macro'
import { TriangleAlert } from 'lucide-react'
import { Pill } from '@/ui/Badge'
import { SIGNALS } from './labels'
import type { Signal } from './types'

const ALL: readonly string[] = Object.keys(SIGNALS)

/** The risk signals of an appeal, the gravest first. Their words say what their colors do. */
export function SignalPills({ signals }: { signals: readonly Signal[] }) {
  const { i18n } = useLingui()
  if (signals.length === 0)
    return (
      <span className="text-muted">
        <Trans>No risk found</Trans>
      </span>
    )
  return (
    <span className="flex flex-wrap gap-1 whitespace-nowrap">
      {signals
        .toSorted((a, b) => ALL.indexOf(a) - ALL.indexOf(b))
        .map((signal) => {
          const { text, tone } = SIGNALS[signal]
          return (
            <Pill key={signal} tone={tone}>
              {tone === 'danger' ? <TriangleAlert size={12} aria-hidden="true" /> : null}
              {i18n._(text)}
            </Pill>
          )
        })}
    </span>
  )
}
