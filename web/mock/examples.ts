import examples from '../../docs/generated/examples/orders.json' with { type: 'json' }
import type { Order } from '../src/api/types.ts'
import { receipt } from './files.ts'

/** The name of an order that the product has shown to one of its parties. */
export type OrderExample = keyof typeof examples

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
const PICTURE = receipt('').url

/** Returns an order as the product has shown it, with an ID of its own, and with its times as if it were shown now. */
export function exampleOrder(name: OrderExample, id: string): Order {
  const example = examples[name]
  const since = Date.now() - Date.parse(example.serverTime)
  const order: Order = JSON.parse(JSON.stringify(example), (field, value) => {
    if (field === 'url') return PICTURE
    const isTime = typeof value === 'string' && TIME.test(value)
    return isTime ? new Date(Date.parse(value) + since).toISOString() : value
  })
  return { ...order, id, advertId: 'ad-1' }
}
