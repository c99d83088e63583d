import adverts from '../../docs/generated/examples/adverts.json' with { type: 'json' }
import cases from '../../docs/generated/examples/cases.json' with { type: 'json' }
import lists from '../../docs/generated/examples/hall.json' with { type: 'json' }
import orders from '../../docs/generated/examples/orders.json' with { type: 'json' }
import type { components } from '../src/api/schema'
import type { Advert, Order } from '../src/api/types.ts'
import { receipt } from './files.ts'

/** The name of an advert that the product has shown to its owner. */
export type AdvertExample = keyof typeof adverts
/** The name of an order that the product has shown to one of its parties. */
export type OrderExample = keyof typeof orders

/** The name of an appeal that the product has shown to an appeal officer. */
export type CaseExample = keyof typeof cases

type Schemas = components['schemas']
/** An appeal in the queue, with the case that the officer reads, now or after joining it; null if it has ended without them. */
export interface ShownCase {
  row: Schemas['ConsoleAppeal']
  case: Schemas['ConsoleCase'] | null
  talk: Schemas['ConsoleTalk'] | null
}

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
const PICTURE = receipt('').url

/** Returns an advert as the product has shown it, with an ID of its own. */
export function exampleAdvert(name: AdvertExample, id: string): Advert {
  const advert: Advert = JSON.parse(shown(adverts[name]))
  return { ...advert, id }
}

/** Returns an order as the product has shown it, with an ID of its own. */
export function exampleOrder(name: OrderExample, id: string): Order {
  const order: Order = JSON.parse(shown(orders[name]))
  return { ...order, id, advertId: 'ad-1' }
}

/** An advert of the hall, and what the user lacks to order from it. */
export interface HallExample {
  row: Schemas['HallAdvert']
  missing: Schemas['MissingRequirement'][]
  unmet: Schemas['TakerRequirement'][]
}

/** Returns the lists of the hall by side and pair. The ID of an advert says where it is. */
export function exampleHall(): Record<string, HallExample[]> {
  const shownLists: Record<string, (HallExample['row'] & Pick<HallExample, 'missing' | 'unmet'>)[]> =
    JSON.parse(JSON.stringify(lists))
  return Object.fromEntries(
    Object.entries(shownLists).map(([name, adverts]) => [
      name,
      adverts.map(({ missing, unmet, ...row }, index) => ({
        missing,
        unmet,
        row: { ...row, id: `a-${name}-${index}` },
      })),
    ]),
  )
}

/** Returns an appeal as the product has shown it, with IDs of its own. */
export function exampleCase(name: CaseExample, id: string, orderId: string): ShownCase {
  const { row } = cases[name]
  return JSON.parse(
    shown(cases[name]).replaceAll(`"${row.id}"`, `"${id}"`).replaceAll(`"${row.orderId}"`, `"${orderId}"`),
  )
}

/** Returns the example of what an officer makes of an appeal, if the product has shown it. */
export function decidedExample(name: CaseExample, ruling: string): CaseExample | undefined {
  const next = `${name}/${ruling}`
  return next in cases ? (next as CaseExample) : undefined
}

/** Returns an example as if the product showed it now. */
function shown(example: { serverTime: string }): string {
  const since = Date.now() - Date.parse(example.serverTime)
  return JSON.stringify(example, (field, value) => {
    if (field === 'url') return PICTURE
    const isTime = typeof value === 'string' && TIME.test(value)
    return isTime ? new Date(Date.parse(value) + since).toISOString() : value
  })
}
