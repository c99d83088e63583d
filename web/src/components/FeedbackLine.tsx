import { useLingui } from '@lingui/react/macro'
import { ThumbsDown, ThumbsUp } from 'lucide-react'
import type { ReactNode } from 'react'
import type { GivenFeedback } from '@/api/types'

/** What a party said after an order, with who said it. */
export function FeedbackLine({ feedback, by }: { feedback: GivenFeedback; by: ReactNode }) {
  const { t } = useLingui()
  return (
    <div className="flex gap-3 py-3">
      {feedback.positive ? (
        <ThumbsUp size={18} role="img" aria-label={t`Positive`} className="mt-0.5 shrink-0 text-brand" />
      ) : (
        <ThumbsDown size={18} role="img" aria-label={t`Negative`} className="mt-0.5 shrink-0 text-sell" />
      )}
      <div className="min-w-0">
        {feedback.line === null ? null : <p className="[overflow-wrap:anywhere]">{feedback.line}</p>}
        <p className="text-muted text-sm">{by}</p>
      </div>
    </div>
  )
}
