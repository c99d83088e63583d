import type { components } from '../../src/api/schema'
import type { Handlers } from '../operation.ts'
import { DAY, minutesFromNow } from '../values.ts'
import { record } from './audit.ts'

type Schemas = components['schemas']

function pair(id: number, base: string, quote: string, reference: string): Schemas['ConsolePair'] {
  const settings: [string, string][] = [
    ['fee_rate', '0.001'],
    ['fee_minimum', '0.001'],
    ['order_minimum', '1'],
    ['order_maximum', '1000000'],
    ['price_band', '0.1'],
    ['price_decimals', '4'],
    ['acceptance_window', '5'],
    ['advert_deposit_window', '30'],
    ['order_deposit_window', '15'],
    ['payment_window', '15'],
    ['confirmation_window', '15'],
    ['grace_period', '10'],
    ['trading', 'on'],
  ]
  return {
    id,
    base,
    quote,
    settings: settings.map(([name, value]) => ({ name, value })),
    version: '1',
    referencePrice: reference,
    referenceSetBy: id === 1 ? 'Ada' : null,
    referenceSetAt: id === 1 ? minutesFromNow(-5 * DAY) : null,
    referenceVersion: '1',
  }
}

const pairs = [pair(1, 'MEC', 'USDT', '2.5'), pair(2, 'MEC', 'KRW', '3400'), pair(3, 'USDT', 'EUR', '0.92')]

export const handlers: Handlers = {
  'GET /console/pairs': () => pairs,
  'POST /console/pairs/{id}': ({ path, body, refuse }) => {
    const found = pairs.find((one) => String(one.id) === path.id) ?? refuse('1016')
    if (body.version !== found.version) refuse('5050')
    if (body.settings['payment_window'] === '4') {
      const problem = 'the payment window must be 5 to 120 minutes, as ads may choose'
      refuse('6007', { field: 'settings', problem })
    }
    for (const setting of found.settings) {
      const after = body.settings[setting.name]
      if (after === undefined) continue
      const before = setting.value
      record('set_pair', 'pair', path.id, { setting: setting.name, before, after }, body.reason)
      setting.value = after
    }
    found.version = String(Number(found.version) + 1)
    return found
  },
  'POST /console/pairs/{id}/reference': ({ path, body, refuse }) => {
    const found = pairs.find((one) => String(one.id) === path.id) ?? refuse('1016')
    record('set_reference', 'pair', path.id, { after: body.price }, body.reason)
    return Object.assign(found, { referencePrice: body.price, referenceSetBy: 'Ada' })
  },
}
