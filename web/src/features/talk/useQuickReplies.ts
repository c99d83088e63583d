import { useLingui } from '@lingui/react/macro'
import type { Talk } from '@/api/talk'

/** Returns what the user may want to say, in the user's language. */
export function useQuickReplies({ role, entries }: Pick<Talk, 'role' | 'entries'>): readonly string[] {
  const { t } = useLingui()
  const state = entries.findLast((entry) => entry.state !== null)?.state ?? ''
  const buying = role === 'BUYER'
  switch (state) {
    case 'AWAITING_ACCEPTANCE':
      return buying
        ? [t`Hello! Are you there?`, t`Please accept the order.`]
        : [t`Hello!`, t`I’ll accept in a moment.`]
    case 'AWAITING_DEPOSIT':
      return buying ? [t`Hello! Are you there?`] : [t`Hello!`, t`I’m depositing now.`]
    case 'AWAITING_PAYMENT':
      return buying
        ? [t`Hello!`, t`I’m paying now.`, t`I’ve paid. Please check.`]
        : [t`Hello!`, t`Please pay to the account shown in the order.`, t`Please pay from your own account.`]
    case 'AWAITING_CONFIRMATION':
      return buying
        ? [t`I’ve paid. Please check.`, t`Has it arrived?`, t`Thank you!`]
        : [t`I’m checking my account.`, t`It hasn’t arrived yet.`, t`I’ve received it. Thank you!`]
    default:
      return [t`Thank you!`, t`Nice trading with you.`]
  }
}
