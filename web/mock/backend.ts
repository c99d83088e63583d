import { createHash } from 'node:crypto'
import type { Advert, CreateAdvert, CreateOrder, HallAdvert, Order } from '../src/api/types.ts'
import * as world from './world.ts'

type Answer = unknown
type Handler = (request: { id: string; query: URLSearchParams; body: Record<string, unknown> }) => Answer

class Refusal extends Error {
  readonly code: string
  readonly status: number
  readonly data: unknown
  constructor(code: string, status: number, message: string, data: unknown = null) {
    super(message)
    this.code = code
    this.status = status
    this.data = data
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const missing = () => new Refusal('1016', 404, 'This record no longer exists.')

function page<T>(records: T[], query: URLSearchParams) {
  const number = Number(query.get('page') ?? '1')
  const size = Number(query.get('size') ?? '20')
  return {
    records: records.slice((number - 1) * size, number * size),
    total: records.length,
    page: number,
    size,
  }
}

function findOrder(id: string): Order {
  const order = world.orders.find((one) => one.id === id)
  if (order === undefined) throw missing()
  order.serverTime = world.at(0)
  return order
}

function move(id: string, change: Partial<Order>): Order {
  const order = findOrder(id)
  return Object.assign(order, change, { version: order.version + 1 })
}

function stepsDone(order: Order, count: number): Order['steps'] {
  return order.steps.map((step, index) =>
    index < count ? { ...step, done: true, at: step.at ?? world.at(0) } : step,
  )
}

function findAdvert(id: string): Advert {
  const advert = world.adverts.find((one) => one.id === id)
  if (advert === undefined) throw missing()
  advert.serverTime = world.at(0)
  return advert
}

function hallAdvert(id: string): HallAdvert {
  const [, side, base = '', quote = ''] = id.split('-')
  const found = world.hallAdverts(side === 'BUY' ? 'BUY' : 'SELL', base, quote).find((one) => one.id === id)
  if (found === undefined) throw missing()
  return found
}

const FINISHED = new Set(['COMPLETED', 'CANCELLED', 'REJECTED'])
const svg = (inner: string, width: number, height: number) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${inner}</svg>`)}`

let made = 0
function fresh(): number {
  made += 1
  return made
}

const HANDLERS: Record<string, Handler> = {
  'GET /user/secretKey': async () => ({ ...(await secretKey()), nonce: 'n', expiresAt: world.at(10) }),
  'GET /slide': async () => ({
    ...(await work()),
    id: `s-${fresh()}`,
    background: svg(
      '<defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop stop-color="#2b5876"/><stop offset="1" stop-color="#4e4376"/></linearGradient></defs><rect width="320" height="160" fill="url(#g)"/><path d="M0 130 80 70l60 45 70-80 110 95v30H0z" fill="#16222f"/><rect x="196" y="62" width="48" height="48" rx="8" fill="#000" opacity=".55"/>',
      320,
      160,
    ),
    piece: svg('<rect width="48" height="48" rx="8" fill="#5b5f8f" stroke="#fff" stroke-width="2"/>', 48, 48),
    width: 320,
    height: 160,
    pieceWidth: 48,
    pieceY: 62,
    expiresAt: world.at(1),
  }),
  'POST /slide/verify': () => ({ token: 'slid' }),
  // The number is 7.
  'GET /slide/work': () => ({
    id: 'work-1',
    salt: 'salt',
    hash: createHash('sha256').update('salt7').digest('hex'),
    most: 800,
    expiresAt: world.at(5),
  }),
  'POST /slide/work/verify': ({ body }) => {
    if (body['number'] !== 7) throw new Refusal('SDK1003', 422, 'Verification failed. Please try again.')
    return { token: 'worked' }
  },
  'POST /user/login': ({ body }) => {
    if (text(body['email']) !== world.user.email) throw new Refusal('1004', 401, 'Wrong account or password')
    return { token: 'mock-token', userId: world.user.id, expiresAt: world.at(10_080) }
  },
  'POST /user/register': () => ({ token: 'mock-token', userId: world.user.id, expiresAt: world.at(10_080) }),
  'POST /logout': () => null,
  'GET /user/info/:id': () => ({ ...world.user, serverTime: world.at(0) }),
  'GET /user/hasSecurityCode': () => ({ has: world.user.hasSecurityPassword }),
  'POST /user/updateInfo': ({ body }) => {
    const { nickname, receivingAddress, chainType } = body
    if (typeof nickname === 'string') world.user.nickname = nickname
    if (typeof receivingAddress === 'string')
      Object.assign(world.user, { receivingAddress, chainType, holdUntil: world.at(1440) })
    if (body['newSecurityCode'] !== undefined) world.user.hasSecurityPassword = true
    return world.user
  },
  'GET /scan/genQrCodeUrl/:id': ({ query }) => {
    const number = fresh()
    const path = query.get('returnTo') ?? '/login'
    const back = new URLSearchParams({ pass: 'declined', challenge: `challenge-${number}` })
    return {
      id: `secret-${number}`,
      challengeId: `challenge-${number}`,
      qrCodeUrl: `mepass://challenge/${number}`,
      authorizeUrl: `${path}${path.includes('?') ? '&' : '?'}${back}`,
      number: 42,
      requester: { browser: 'Chrome', system: 'Linux', region: 'KR' },
      expiresAt: world.at(2),
    }
  },
  'GET /scan/result/:id': () => {
    throw new Refusal('1009', 200, 'SCAN_NO_CALLBACK')
  },
  'POST /email/send': () => ({ resendAt: world.at(1), id: 'code-1' }),
  'POST /email/verify': () => ({ valid: true }),
  'GET /common/coin': () => world.config.coins,
  'GET /c2c/coin/config': () => world.config,
  'GET /common/country/all': () => world.countries,
  'GET /common/credit/setting': () => [{ deduct: 20, freePerDay: 3, neededToPost: 60 }],
  'GET /market/stats': ({ query }) => world.market(query.get('base') ?? '', query.get('quote') ?? ''),
  'GET /market/overview': () => world.overview(),
  'GET /c2c/advert/online': () => ({ online: world.user.online }),
  'POST /c2c/advert/online': ({ query }) => {
    world.user.online = query.get('online') === 'true'
    return { online: world.user.online }
  },
  'GET /c2c/advert/page': ({ query }) => {
    const side = query.get('side') === 'BUY' ? 'BUY' : 'SELL'
    const all = world.hallAdverts(side, query.get('base') ?? '', query.get('quote') ?? '')
    const method = query.get('method')
    const amount = Number(query.get('amount') ?? '0')
    return page(
      all.filter(
        (one) =>
          (method === null || one.methodTypes.includes(method)) &&
          (query.get('certified') !== 'true' || one.advertiser.certified) &&
          (query.get('fast') !== 'true' || one.advertiser.fast) &&
          (amount === 0 || (amount >= Number(one.orderMin) && amount <= Number(one.orderMax))),
      ),
      query,
    )
  },
  'GET /c2c/advert/hall/:id': ({ id }) => hallAdvert(id),
  'POST /c2c/advert/create': ({ body }) => {
    const asked = body as unknown as CreateAdvert
    const like = findAdvert('ad-2')
    const advert: Advert = {
      ...like,
      ...asked,
      id: `ad-${fresh()}x`,
      methods: world.methods.slice(0, 1),
      remark: asked.remark ?? null,
      windowMinutes: 30,
    }
    world.adverts.unshift(advert)
    return advert
  },
  'GET /c2c/advert/pageByUser': ({ query }) => page(world.adverts, query),
  'GET /c2c/advert/:id': ({ id }) => findAdvert(id),
  'POST /c2c/advert/cancel/:id': ({ id }) =>
    Object.assign(findAdvert(id), { state: 'CANCELLED', actions: ['delete'], endReason: 'OWNER_CANCELLED' }),
  'POST /c2c/advert/deposit/:id': ({ id }) => findAdvert(id),
  'POST /c2c/advert/switch/:id': ({ id, body }) =>
    Object.assign(
      findAdvert(id),
      body['online'] === true
        ? { state: 'ONLINE', actions: ['offline', 'revoke'] }
        : { state: 'OFFLINE', actions: ['online', 'revoke'] },
    ),
  'POST /c2c/advert/delete/:id': ({ id }) => findAdvert(id),
  'POST /c2c/deal/order': ({ body }) => {
    const asked = body as unknown as CreateOrder
    if (asked.quantity?.startsWith('7')) throw new Refusal('5043', 409, 'Price changed', { price: '0.4851' })
    const order: Order = {
      ...findOrder('o-accept'),
      id: `o-${fresh()}x`,
      role: 'BUYER',
      actions: [{ action: 'cancel', creditCost: 0, usesFree: true, securityCode: false }],
      quantity: asked.quantity ?? '0',
    }
    world.orders.unshift(order)
    return order
  },
  'GET /c2c/deal/order/page': ({ query }) => {
    const finish = query.get('finish')
    return page(
      world.orders.filter((one) => finish === null || FINISHED.has(one.state) === (finish === 'true')),
      query,
    )
  },
  'GET /c2c/deal/order/:id': ({ id }) => findOrder(id),
  'POST /c2c/deal/order/take/:id': ({ id }) =>
    move(id, {
      state: 'AWAITING_PAYMENT',
      steps: stepsDone(findOrder(id), 2),
      deadline: world.at(30),
      actions: [{ action: 'askCancel', creditCost: 0, usesFree: true, securityCode: false }],
      myTurn: false,
    }),
  'POST /c2c/deal/order/cancel/:id': ({ id }) =>
    move(id, { state: 'CANCELLED', actions: [], deadline: null, money: 'RETURNED' }),
  'POST /c2c/deal/order/confirm/:id': ({ id }) =>
    move(id, {
      state: 'RELEASING',
      steps: stepsDone(findOrder(id), 4),
      actions: [],
      deadline: null,
      money: 'IN_FLIGHT',
      payouts: findOrder('o-release').payouts,
    }),
  'POST /c2c/deal/order/pay/:id': ({ id }) =>
    move(id, {
      state: 'AWAITING_CONFIRMATION',
      steps: stepsDone(findOrder(id), 3),
      deadline: world.at(30),
      actions: [{ action: 'cancel', creditCost: 20, usesFree: false, securityCode: true }],
    }),
  'POST /c2c/deal/order/recover/:id': ({ id }) => findOrder(id),
  'POST /c2c/deal/order/deposit/:id': ({ id }) => findOrder(id),
  'POST /c2c/deal/order/askCancel/:id': ({ id }) => move(id, { cancelAskedBy: 'SELLER', actions: [] }),
  'POST /c2c/deal/order/agreeCancel/:id': ({ id }) => move(id, { state: 'CANCELLED', actions: [] }),
  'POST /c2c/deal/order/updateRead': () => null,
  'GET /c2c/deal/order/cancel/times': () => ({ freeLeft: 2, freePerDay: 3, deduct: 20 }),
  'GET /payment/method/forms': () => world.forms,
  'GET /payment/method/list': () => world.methods,
  'GET /payment/method/:id': ({ id }) => world.methods.find((one) => one.id === id) ?? world.methods[0],
  'POST /payment/method': () => world.methods[0],
  'POST /payment/method/:id': () => world.methods[0],
  'POST /payment/method/delete/:id': () => null,
  'GET /balance': () => ({ ...world.balance, serverTime: world.at(0) }),
  'GET /balance/detail': ({ query }) =>
    page(
      world.funds.filter((one) => query.get('type') === null || one.type === query.get('type')),
      query,
    ),
  'GET /balance/record/:id': ({ id }) => world.funds.find((one) => one.id === id) ?? world.funds[0],
  'POST /balance/extract': () => ({ id: 'f-5' }),
}

async function work() {
  const salt = 'mock'
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${salt}1234`))
  const hash = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return { salt, hash, most: 20_000 }
}

let key: Promise<{ keyId: string; publicKey: string }> | null = null
async function makeKey() {
  const pair = await crypto.subtle.generateKey(
    { name: 'RSA-OAEP', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
    true,
    ['encrypt', 'decrypt'],
  )
  const spki = new Uint8Array(await crypto.subtle.exportKey('spki', pair.publicKey))
  return { keyId: 'mock', publicKey: btoa(String.fromCharCode(...spki)) }
}
function secretKey() {
  key ??= makeKey()
  return key
}

function match(method: string, path: string): { handler: Handler; id: string } | null {
  const exact = HANDLERS[`${method} ${path}`]
  if (exact !== undefined) return { handler: exact, id: '' }
  const cut = path.lastIndexOf('/')
  const handler = HANDLERS[`${method} ${path.slice(0, cut)}/:id`]
  return handler === undefined ? null : { handler, id: decodeURIComponent(path.slice(cut + 1)) }
}

/** Answers a call as the API would, from a world in memory. */
export async function answer(request: Request): Promise<Response> {
  const url = new URL(request.url)
  const path = url.pathname.replace(/^\/api/, '')
  const found = match(request.method, path)
  const reply = (code: string, status: number, message: string, data: unknown) =>
    Response.json({ code, message, data }, { status })
  if (found === null) return reply('404', 404, `no such call: ${path}`, null)
  try {
    if (request.method === 'POST' && !request.headers.has('idempotency-key'))
      throw new Refusal('400', 400, 'Idempotency-Key is missing')
    const raw = request.method === 'POST' ? await request.text() : ''
    const body: Record<string, unknown> = raw === '' ? {} : JSON.parse(raw)
    return reply('200', 200, '', await found.handler({ id: found.id, query: url.searchParams, body }))
  } catch (error) {
    if (error instanceof Refusal) return reply(error.code, error.status, error.message, error.data)
    return reply('500', 500, '', null)
  }
}
