import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { UploadedFile } from '@/api/types'
import type { Case, CaseEntry, Party } from './types'

/** A picture or video of a case. */
export interface Media {
  file: UploadedFile
  title: MessageDescriptor
  /** When it was added, if known. */
  at: string | null
  /** The number of the entry with the message that it belongs to; null for a receipt or evidence. */
  entry: number | null
}

const RECEIPT = msg`Receipt of the buyer`
const MESSAGE = msg`Picture in the chat`
const EVIDENCE: Record<Party, MessageDescriptor> = {
  BUYER: msg`Evidence of the buyer`,
  SELLER: msg`Evidence of the seller`,
}

/** Returns all files of a case, in the order in which the viewer walks them. */
export function mediaOf(
  { order, appeal }: Pick<Case, 'order' | 'appeal'>,
  talk: readonly CaseEntry[],
): Media[] {
  const receipts = (order.payment?.receipts ?? []).map((file) => ({
    file,
    title: RECEIPT,
    at: order.payment?.at ?? null,
    entry: null,
  }))
  const evidence = (['BUYER', 'SELLER'] as const).flatMap((party) =>
    appeal.evidence
      .filter((one) => one.by === party)
      .map((one) => ({ file: one.file, title: EVIDENCE[party], at: one.at, entry: null })),
  )
  const messages = talk.flatMap(({ files, at, number }) =>
    files.map((file) => ({ file, title: MESSAGE, at, entry: number })),
  )
  return [...receipts, ...evidence, ...messages]
}
