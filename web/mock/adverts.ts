import type { Advert, AdvertGroup } from '../src/api/types.ts'
import { type AdvertExample, exampleAdvert } from './examples.ts'
import { config } from './market.ts'
import { type Handlers, nextNumber, page } from './operation.ts'
import { minutesFromNow } from './values.ts'

const NAMES: Record<string, AdvertExample> = {
  'ad-1': 'online',
  'ad-2': 'creating',
  'ad-3': 'creating-with-part-of-the-deposit',
  'ad-4': 'offline-with-little-left',
  'ad-5': 'revoking',
  'ad-6': 'sold-out',
}

export const adverts: Advert[] = Object.entries(NAMES).map(([id, name]) => exampleAdvert(name, id))

export function groupOf({ state }: Advert): AdvertGroup | null {
  if (state === 'DELETED') return null
  return state === 'ONLINE' ? 'ONLINE' : state === 'CANCELLED' ? 'ENDED' : 'OFFLINE'
}

function find(id: string): Advert | undefined {
  const found = adverts.find((one) => one.id === id)
  return found && Object.assign(found, { serverTime: minutesFromNow(0) })
}

/** Makes an advert look like another example. */
function become(id: string, name: AdvertExample): Advert | undefined {
  const found = find(id)
  return found && Object.assign(found, exampleAdvert(name, id), { version: found.version + 1 })
}

export const handlers: Handlers = {
  'GET /c2c/advert/requirements': () => [],
  'GET /c2c/advert/price': ({ query }) => {
    const market = config.pairs.find(
      ({ base, quote }) => base === query.base && quote === query.quote,
    )?.lastPrice
    const distance = market == null ? null : Number(query.price) / Number(market) - 1
    return {
      market: market ?? null,
      source: market == null ? null : 'LAST_TRADE',
      distance: distance === null ? null : distance.toFixed(6),
      far: distance !== null && Math.abs(distance) > 0.1,
      priceMin: null,
      priceMax: null,
      rank: distance !== null && distance > 0 ? 4 : 1,
      others: 11,
    }
  },
  'GET /c2c/advert/pageByUser': ({ query }) =>
    page(
      adverts.filter((one) => query.group === undefined || groupOf(one) === query.group),
      query,
    ),
  'GET /c2c/advert/groups': () => {
    const many = (group: AdvertGroup) => adverts.filter((one) => groupOf(one) === group).length
    return { online: many('ONLINE'), offline: many('OFFLINE'), ended: many('ENDED') }
  },
  'GET /c2c/advert/{id}': ({ path, refuse }) => find(path.id) ?? refuse('5000'),
  'POST /c2c/advert/create': ({ body }) => {
    const id = `ad-${nextNumber()}x`
    const created: Advert = {
      ...exampleAdvert('creating', id),
      ...body,
      remark: body.remark ?? null,
      windowMinutes: 30,
    }
    adverts.unshift(created)
    return created
  },
  'POST /c2c/advert/cancel/{id}': ({ path, refuse }) =>
    become(path.id, find(path.id)?.state === 'CREATING' ? 'cancelled' : 'revoking') ?? refuse('5000'),
  'POST /c2c/advert/deposit/{id}': ({ path, refuse }) => find(path.id) ?? refuse('5000'),
  'POST /c2c/advert/switch/{id}': ({ path, body, refuse }) =>
    become(path.id, body.online ? 'online' : 'offline') ?? refuse('5000'),
  'POST /c2c/advert/delete/{id}': ({ path, refuse }) => find(path.id) ?? refuse('5000'),
}
