import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

export type ArticleId = 'disputes' | 'order-record'

/** The help articles, in the order of the list. */
export const ARTICLES: readonly { id: ArticleId; title: MessageDescriptor; text: MessageDescriptor }[] = [
  {
    id: 'disputes',
    title: msg`How disputes are resolved`,
    text: msg`What an appeal does, who decides it, and how long that takes.`,
  },
  {
    id: 'order-record',
    title: msg`Order records`,
    text: msg`What the signed record of an order proves, and how to verify it.`,
  },
]
