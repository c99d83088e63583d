import type { PricePoint } from '../src/api/types.ts'
import type { Handlers } from './operation.ts'
import { DAY, HOUR } from './values.ts'

/** The hours or days of a range, and how many there are. */
const SPANS = {
  '7D': [HOUR, 168],
  '30D': [DAY, 30],
  '3M': [DAY, 92],
  '6M': [DAY, 183],
  '1Y': [DAY, 366],
} as const

/** A price that wanders, the same each time. */
function pricePoints(range: keyof typeof SPANS, around: number): PricePoint[] {
  const [minutes, many] = SPANS[range]
  const start = Math.floor(Date.now() / (minutes * 60_000)) * minutes * 60_000
  const at = (step: number) => around * (1 + 0.06 * Math.sin(step / 9) + 0.03 * Math.sin(step / 2.3))
  return Array.from({ length: many }, (_, step): PricePoint => {
    const [open, close] = [at(step), at(step + 1)]
    return {
      at: new Date(start - (many - 1 - step) * minutes * 60_000).toISOString(),
      open: open.toFixed(4),
      close: close.toFixed(4),
      high: (Math.max(open, close) * 1.01).toFixed(4),
      low: (Math.min(open, close) * 0.99).toFixed(4),
      average: ((open + close) / 2).toFixed(4),
      volume: (40 + 30 * Math.sin(step / 4)).toFixed(2),
      turnover: '20',
      trades: 3 + (step % 5),
    }
  })
}

export const handlers: Handlers = {
  'GET /order/price/thread/new/page': ({ query }) => {
    const range = Object.keys(SPANS).find((one) => one === query.range) as keyof typeof SPANS
    const quiet = query.base === 'USDT' && query.quote === 'EUR'
    return {
      base: query.base ?? '',
      quote: query.quote ?? '',
      range,
      bucketSeconds: SPANS[range][0] * 60,
      records: quiet ? [] : pricePoints(range, query.quote === 'USDT' ? 0.48 : 1.02),
    }
  },
}
