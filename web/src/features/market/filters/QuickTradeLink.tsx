import { Trans } from '@lingui/react/macro'
import { ChevronRight, Zap } from 'lucide-react'
import { AppLink } from '@/navigation/navigation'
import { type HallFilter, hallAddress } from '../hallState'

/** Leads from the filters to the choice of the best ad. */
export function QuickTradeLink({ hall }: { hall: HallFilter }) {
  return (
    <AppLink
      to="/adMatching"
      query={hallAddress(hall)}
      className="flex min-h-14 items-center gap-3 rounded-2xl bg-brand-soft px-4 py-2.5 text-brand"
    >
      <Zap size={20} aria-hidden="true" className="shrink-0" />
      <span className="min-w-0 flex-1 leading-snug">
        <span className="block font-semibold">
          <Trans>Quick trade</Trans>
        </span>
        <span className="block text-sm">
          <Trans>Enter an amount, and get the best ad for it.</Trans>
        </span>
      </span>
      <ChevronRight size={18} aria-hidden="true" className="shrink-0" />
    </AppLink>
  )
}
