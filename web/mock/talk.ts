import type { Conversation, TalkEntry, TalkFile, TalkMarks, UploadedFile } from '../src/api/types.ts'
import { qrCode, receipt, uploadedFile, video } from './files.ts'
import { type Handlers, page } from './operation.ts'
import { orders } from './orders.ts'
import { minutesFromNow } from './values.ts'

type Role = 'BUYER' | 'SELLER'

interface Log {
  role: Role
  entries: TalkEntry[]
  marks: TalkMarks[]
}

const OTHER = { BUYER: 'SELLER', SELLER: 'BUYER' } as const

function entryAt(log: Log, minutes: number, said: Partial<TalkEntry>): TalkEntry {
  const number = log.entries.length + 1
  const entry: TalkEntry = {
    number,
    kind: 'MESSAGE',
    author: null,
    officer: null,
    text: '',
    files: [],
    warnings: [],
    automatic: false,
    notice: null,
    state: null,
    version: null,
    at: minutesFromNow(minutes),
    hash: number.toString(16).padStart(64, '0'),
    ...said,
  }
  log.entries.push(entry)
  return entry
}

function logOf(role: Role): Log {
  const marks: TalkMarks[] = (['BUYER', 'SELLER'] as const).map((party) => ({
    party,
    deliveredTo: 0,
    readTo: 0,
  }))
  return { role, entries: [], marks }
}

function transition(log: Log, minutes: number, notice: string, state: string, author: Role | null): void {
  entryAt(log, minutes, { kind: 'SYSTEM', notice, state, author, version: log.entries.length + 1 })
}

/** A buyer's conversation with everything that one may contain. */
function talkative(): Log {
  const log = logOf('BUYER')
  transition(log, -1500, 'NEW_ORDER', 'AWAITING_ACCEPTANCE', 'BUYER')
  entryAt(log, -1499, { author: 'BUYER', text: 'Hello! Are you there?' })
  entryAt(log, -1498, { author: 'SELLER', text: 'Yes. I’ll accept in a moment.', automatic: true })
  transition(log, -9, 'ORDER_ACCEPTED', 'AWAITING_PAYMENT', 'SELLER')
  entryAt(log, -8, { author: 'SELLER', text: 'Please pay to the account shown in the order.' })
  entryAt(log, -7, { author: 'BUYER', text: 'Which name will I see on the transfer?' })
  entryAt(log, -6, { author: 'SELLER', text: 'Minh Tran.\nPlease write the order number as the reference.' })
  entryAt(log, -5, {
    author: 'SELLER',
    text: 'It’s faster on Telegram: @minh_trades',
    warnings: ['OFF_PLATFORM'],
  })
  entryAt(log, -4, { kind: 'OFFICER', officer: 'Mia', text: 'Please keep all talk in this chat.' })
  entryAt(log, -3, { author: 'BUYER', text: 'I’m paying now.' })
  entryAt(log, -2, { author: 'BUYER', text: 'The transfer takes a minute.' })
  for (const mark of log.marks)
    Object.assign(mark, { deliveredTo: 11, readTo: mark.party === 'BUYER' ? 8 : 10 })
  return log
}

function attached(file: UploadedFile): TalkFile {
  return { id: file.id, sha256: ''.padStart(64, '0'), file }
}

/** A conversation with pictures and a video, and a picture that was used before. */
function illustrated(): Log {
  const log = logOf('SELLER')
  transition(log, -60, 'NEW_ORDER', 'AWAITING_ACCEPTANCE', 'BUYER')
  transition(log, -50, 'ORDER_ACCEPTED', 'AWAITING_PAYMENT', 'SELLER')
  const code = attached(qrCode('f-code'))
  entryAt(log, -40, { author: 'SELLER', text: 'Please scan this code.', files: [code] })
  const shown = ['1', '2', '3', '4'].map((name) => attached(receipt(`f-shown-${name}`)))
  entryAt(log, -30, { author: 'BUYER', text: 'Here is what my bank shows.', files: shown })
  const reused = attached({ ...receipt('f-reused'), usedBefore: true })
  entryAt(log, -20, { author: 'BUYER', files: [reused] })
  entryAt(log, -10, { author: 'BUYER', files: [attached(video('f-video'))] })
  for (const mark of log.marks) Object.assign(mark, { deliveredTo: 6, readTo: 6 })
  return log
}

/** A long conversation, of which only the end is loaded at first. */
function long(): Log {
  const log = logOf('SELLER')
  transition(log, -400, 'NEW_ORDER', 'AWAITING_ACCEPTANCE', 'BUYER')
  for (let number = 1; number <= 120; number += 1)
    entryAt(log, -300 + number, { author: number % 3 === 0 ? 'SELLER' : 'BUYER', text: `Message ${number}` })
  for (const mark of log.marks) Object.assign(mark, { deliveredTo: 121, readTo: 121 })
  return log
}

/** A conversation about an NFT. */
function short(): Log {
  const log = logOf('BUYER')
  transition(log, -20, 'ORDER_ACCEPTED', 'AWAITING_PAYMENT', 'SELLER')
  entryAt(log, -19, { author: 'SELLER', text: 'A fine garden. Enjoy it!' })
  for (const mark of log.marks) Object.assign(mark, { deliveredTo: 2, readTo: 2 })
  return log
}

const logs = new Map<string, Log>([
  ['o-pay', talkative()],
  ['o-confirm', long()],
  ['o-releasing', illustrated()],
  ['o-nft', short()],
])

function find(id: string): Log | undefined {
  const known = logs.get(id)
  const order = orders.find((one) => one.id === id)
  if (known !== undefined || order === undefined) return known
  const log = logOf(order.role)
  transition(log, -8, 'NEW_ORDER', 'AWAITING_ACCEPTANCE', 'BUYER')
  logs.set(id, log)
  return log
}

function unread({ role, entries, marks }: Log): number {
  const readTo = marks.find(({ party }) => party === role)?.readTo ?? 0
  return entries.filter((entry) => entry.number > readTo && entry.kind !== 'SYSTEM' && entry.author !== role)
    .length
}

function conversations(): Conversation[] {
  return Array.from(logs).flatMap(([id, log]) => {
    const order = orders.find((one) => one.id === id)
    const last = log.entries.findLast((entry) => entry.kind !== 'SYSTEM')
    if (order === undefined || last === undefined) return []
    const { role, state, base, quote, quantity, counterparty } = order
    const { nickname, countryCode } = counterparty
    return [
      {
        orderId: id,
        role,
        state,
        base,
        quote,
        quantity,
        nickname,
        countryCode,
        last,
        unread: unread(log),
        nft: order.nft,
      },
    ]
  })
}

const total = () => Array.from(logs.values()).reduce((sum, log) => sum + unread(log), 0)
const FLAGGED = /telegram|release first/i

export const handlers: Handlers = {
  'GET /user/fiat/talk/talkList': ({ query }) => page(conversations(), query),
  'GET /user/fiat/talk/readBubble': () => ({ openOrders: orders.length, changedOrders: 0, unread: total() }),
  'GET /user/fiat/talk/unread': () => ({ unread: total() }),
  'GET /user/fiat/talk/unRead/{id}': ({ path, refuse }) => ({
    unread: unread(find(path.id) ?? refuse('5007')),
  }),
  'GET /user/fiat/talk/read/{id}': ({ path, query, refuse }) => {
    const log = find(path.id) ?? refuse('5007')
    // Stays unread, so that the tests of other screens do not depend on this one.
    return { readTo: Math.min(Number(query.upTo ?? log.entries.length), log.entries.length), unread: 0 }
  },
  'GET /user/fiat/talk/updateRead/{id}': () => null,
  'GET /user/fiat/talk/{id}': ({ path, query, refuse }) => {
    const log = find(path.id) ?? refuse('5007')
    const size = Number(query.size ?? '50')
    const { role, entries, marks } = log
    const shown =
      query.after === undefined
        ? entries.filter((entry) => entry.number < Number(query.before ?? 'Infinity')).slice(-size)
        : entries.filter((entry) => entry.number > Number(query.after)).slice(0, size)
    const ended = path.id === 'o-rejected'
    const closesAt = ended ? minutesFromNow(-60) : null
    return { role, entries: shown, last: entries.length, marks, unread: unread(log), open: !ended, closesAt }
  },
  'POST /user/fiat/talk/{id}': ({ path, body, refuse }) => {
    const log = find(path.id) ?? refuse('5007')
    if (FLAGGED.test(body.text) && body.despiteWarnings !== true)
      refuse('1030', { field: 'text', warnings: ['OFF_PLATFORM'] })
    if (body.text === 'One too many' && (body.files ?? []).length > 0)
      refuse('1014', { field: 'file', reason: 'conversation full' })
    const files = (body.files ?? []).map((id) =>
      attached(uploadedFile(id) ?? refuse('400', { field: 'files', reason: 'no such file' })),
    )
    const entry = entryAt(log, 0, { author: log.role, text: body.text, files })
    if (body.text === 'Ping') entryAt(log, 0, { author: OTHER[log.role], text: 'Pong' })
    return entry
  },
}
