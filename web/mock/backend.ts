import * as adverts from './adverts.ts'
import * as certification from './certification.ts'
import * as console from './console/index.ts'
import * as consoleAppeals from './consoleAppeals.ts'
import * as dictionary from './dictionary.ts'
import * as files from './files.ts'
import * as help from './help.ts'
import * as identity from './identity.ts'
import * as market from './market.ts'
import * as nfts from './nfts.ts'
import * as notifications from './notifications.ts'
import { envelope, type Handlers, Refusal } from './operation.ts'
import * as orders from './orders.ts'
import * as paymentMethods from './paymentMethods.ts'
import * as prices from './prices.ts'
import * as talk from './talk.ts'
import * as traders from './traders.ts'
import * as people from './users.ts'
import * as wallet from './wallet.ts'

const HANDLERS: Handlers = {
  ...identity.handlers,
  ...people.handlers,
  ...certification.handlers,
  ...market.handlers,
  ...prices.handlers,
  ...adverts.handlers,
  ...nfts.handlers,
  ...orders.handlers,
  ...talk.handlers,
  ...paymentMethods.handlers,
  ...files.handlers,
  ...dictionary.handlers,
  ...help.handlers,
  ...notifications.handlers,
  ...traders.handlers,
  ...wallet.handlers,
  ...console.handlers,
  ...consoleAppeals.handlers,
}

interface Route {
  pattern: RegExp
  /** Handlers are typed where they are defined, because a request's operation is known only at run time. */
  handler: (call: object) => unknown
}

/** The routes, with paths without parameters first, so that `/order/page` does not match `/order/{id}`. */
const ROUTES = Object.entries(HANDLERS)
  .toSorted(([a], [b]) => Number(a.includes('{')) - Number(b.includes('{')))
  .map(
    ([operation, handler]): Route => ({
      pattern: new RegExp(`^${operation.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
      handler: handler as Route['handler'],
    }),
  )

/** The answers to executed commands. A command that is sent again under its key gets the same answer. */
const EXECUTED = new Map<string, unknown>()

/** Answers a request like the API, from data in memory. */
export async function answer(request: Request): Promise<Response> {
  const url = new URL(request.url)
  const name = `${request.method} ${decodeURIComponent(url.pathname.replace(/^\/api/, ''))}`
  const language = request.headers.get('language') ?? ''
  try {
    const route = ROUTES.find(({ pattern }) => pattern.test(name)) ?? refuse('404')
    if (request.method === 'POST' && !request.headers.has('idempotency-key'))
      refuse('400', { field: 'Idempotency-Key' })
    const text = await request.text()
    const call = {
      path: route.pattern.exec(name)?.groups ?? {},
      query: Object.fromEntries(url.searchParams),
      body: isJson(request) && text !== '' ? JSON.parse(text) : {},
      refuse,
    }
    const command = request.method === 'POST' ? `${name} ${request.headers.get('idempotency-key')}` : ''
    const answered = EXECUTED.get(command) ?? (await route.handler(call))
    if (command !== '' && !(answered instanceof Response)) EXECUTED.set(command, answered)
    // A file has no envelope.
    return answered instanceof Response ? answered : envelope('200', language, answered)
  } catch (error) {
    const { code, facts } = error instanceof Refusal ? error : new Refusal('500')
    return envelope(code, language, facts)
  }
}

/** Returns whether a request has a JSON body. Uploads have another one, which the mock ignores. */
function isJson(request: Request): boolean {
  return request.headers.get('content-type')?.startsWith('application/json') === true
}

function refuse(code: string, facts?: ConstructorParameters<typeof Refusal>[1]): never {
  throw new Refusal(code, facts)
}
