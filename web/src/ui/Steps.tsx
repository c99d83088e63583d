import { Trans } from '@lingui/react/macro'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'

export interface Step {
  key: string
  title: ReactNode
  /** The time of the step, or what it waits for. */
  note?: ReactNode
  state: 'done' | 'current' | 'later' | 'failed'
}

const DOTS = {
  done: 'bg-brand-fill text-on-brand',
  current: 'border-2 border-warn text-warn',
  later: 'border-2 border-line text-muted',
  failed: 'bg-sell-fill text-on-sell',
} as const

/** A timeline of steps, with the current step marked. */
export function Timeline({ steps, label }: { steps: readonly Step[]; label: string }) {
  return (
    <ol aria-label={label} className="flex flex-col">
      {steps.map((step, index) => (
        <li
          key={step.key}
          aria-current={step.state === 'current' ? 'step' : undefined}
          className="flex gap-3.5"
        >
          <div className="flex flex-col items-center">
            <span
              className={`grid size-7 shrink-0 place-items-center rounded-full font-semibold text-xs ${DOTS[step.state]}`}
            >
              {step.state === 'done' ? <Check size={16} strokeWidth={3} aria-hidden="true" /> : index + 1}
            </span>
            {index < steps.length - 1 ? (
              <span
                className={`my-1 min-h-3 w-0.5 flex-1 rounded ${step.state === 'done' ? 'bg-brand-fill' : 'bg-line'}`}
              />
            ) : null}
          </div>
          <div
            className={`flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-3 pt-0.5 ${index < steps.length - 1 ? 'pb-3.5' : ''}`}
          >
            <span
              className={`min-w-0 [overflow-wrap:anywhere] ${
                step.state === 'current' ? 'font-semibold' : step.state === 'later' ? 'text-muted' : ''
              }`}
            >
              {step.title}
              {step.state === 'done' ? (
                <span className="sr-only">
                  {', '}
                  <Trans>done</Trans>
                </span>
              ) : null}
            </span>
            {step.note === undefined ? null : <span className="text-muted text-sm">{step.note}</span>}
          </div>
        </li>
      ))}
    </ol>
  )
}

export function WizardSteps({ at, names, label }: { at: number; names: readonly string[]; label: string }) {
  return (
    <ol aria-label={label} className="relative grid auto-cols-fr grid-flow-col max-2xs:mb-10 gap-2">
      {names.map((name, index) => (
        <li
          key={name}
          aria-current={index === at ? 'step' : undefined}
          className="flex min-w-0 flex-col gap-1.5"
        >
          <span className={`h-1 rounded-full ${index <= at ? 'bg-brand-fill' : 'bg-sunken'}`} />
          <span
            className={`text-xs leading-tight ${index === at ? 'font-semibold text-ink max-2xs:absolute max-2xs:inset-x-0 max-2xs:top-2.5' : 'text-muted max-2xs:sr-only'}`}
          >
            {name}
          </span>
        </li>
      ))}
    </ol>
  )
}
