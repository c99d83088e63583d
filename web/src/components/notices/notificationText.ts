import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Notification } from '@/api/types'
import { noticeText } from './noticeText'

/** What the owner of an ad reads about it, by the notice of the server. */
const ADVERTS: Record<string, MessageDescriptor> = {
  ADVERT_CONFIRMED: msg`Your ad is funded and takes orders`,
  ADVERT_FROZEN: msg`The deposit of your ad was reversed on-chain. The ad takes no orders until it’s restored.`,
  ADVERT_UNFROZEN: msg`The deposit of your ad is restored`,
  ADVERT_REVOKING: msg`Your ad takes no more orders`,
  ADVERT_CANCELLED: msg`Your ad has ended`,
  WRONG_DEPOSIT: msg`A deposit arrived that your ad didn’t ask for`,
  DEADLINE_MOVED: msg`The deadline of your ad was extended`,
  PAYOUT_REDIRECTED: msg`Your address refuses the transfer. What it would have received stays in custody for you.`,
}

const CHANGES: Record<NonNullable<Notification['accountChange']>, MessageDescriptor> = {
  LOGIN_PASSWORD: msg`Your login password was changed`,
  SECURITY_PASSWORD: msg`Your security password was changed`,
  SECURITY_PASSWORD_SET: msg`Your security password was set`,
  EMAIL_ADDRESS: msg`Your email address was changed`,
  RECEIVING_ADDRESS: msg`Your receiving address was changed`,
  BOUND_ADDRESS: msg`Your bound address was changed`,
  NOTIFICATION_EMAILS: msg`Emails to you were turned off`,
}

/** Returns what a notification says. */
export function notificationText(one: Notification): MessageDescriptor {
  const { notice, reader, author, certified, accountChange, withdrawal } = one
  if (one.orderId !== null) {
    if (notice === 'NEW_ORDER') return msg`Someone ordered from your ad`
    return noticeText({ notice, author }, reader)
  }
  if (one.advertId !== null) return ADVERTS[notice ?? ''] ?? msg`Your ad has changed`
  if (accountChange !== null) return CHANGES[accountChange]
  if (certified !== null) {
    return certified ? msg`You’re certified` : msg`Your application for certification was rejected`
  }
  if (withdrawal) return msg`You requested a withdrawal`
  return msg`Your ads are offline: orders went unanswered`
}
