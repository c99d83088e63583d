import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { NotificationCategory } from '@/api/types'

/** The categories of notifications: names, and what they contain. */
export const CATEGORIES: readonly (readonly [
  NotificationCategory,
  { name: MessageDescriptor; text: MessageDescriptor },
])[] = [
  ['NEW_ORDER', { name: msg`New orders`, text: msg`Someone orders from your ad.` }],
  [
    'ACTION_NEEDED',
    {
      name: msg`Your turn`,
      text: msg`An order waits for you to deposit, pay, confirm or agree to a cancellation.`,
    },
  ],
  ['ORDER_PROGRESS', { name: msg`Order progress`, text: msg`An order goes on or ends without you.` }],
  ['APPEAL', { name: msg`Appeals`, text: msg`Appeals, requests for evidence, and decisions.` }],
  ['ADVERT', { name: msg`Ads`, text: msg`Your ad is funded, paused or ended.` }],
  [
    'FUNDS',
    {
      name: msg`Your coins`,
      text: msg`You confirm a payment, deposit from your balance or withdraw: if you didn’t, someone else did.`,
    },
  ],
  ['ACCOUNT', { name: msg`Account`, text: msg`Certification, and when your ads go offline.` }],
  ['SECURITY', { name: msg`Security`, text: msg`Your passwords, email address and addresses for coins.` }],
]
