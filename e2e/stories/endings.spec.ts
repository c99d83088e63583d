import type { Chain } from '../environment/chain.ts'
import { expect, test } from '../environment/stage.ts'
import { Holdings } from '../people/holdings.ts'
import { minus, sum, times } from '../people/money.ts'
import { Officer } from '../people/officer.ts'
import { decide } from '../people/orderCalls.ts'
import { check, type Result } from '../people/orderEndings.ts'
import type { Person } from '../people/person.ts'
import { arrive, balance } from '../people/quick.ts'
import { Advert, type AdvertType, COSTS, TestOrder } from '../people/testOrder.ts'
import { give, ownedNfts } from '../people/wallet.ts'

const ENDINGS = [
  'reorganized',
  'buyer cancels',
  'seller cancels',
  'completed',
  'expired',
  'appealed',
] as const
type Ending = (typeof ENDINGS)[number]

interface Row {
  type: AdvertType
  /** Who wins the appeal. */
  winner: 'BUYER' | 'SELLER'
  results: Record<Ending, Result>
}

/** Returns what becomes of the orders on a type of ad that a party cancels, that expire, and that an officer decides. */
function row(
  [side, kind, base]: [AdvertType['side'], AdvertType['kind'], AdvertType['base']],
  ...[buyer, seller, expired, winner, appealed]: [Result, Result, Result, Row['winner'], Result]
): Row {
  const ends = { 'buyer cancels': buyer, 'seller cancels': seller, expired, appealed }
  return { type: { side, kind, base }, winner, results: { reorganized: 'sold', completed: 'sold', ...ends } }
}

const ROWS = [
  row(['SELL', 'MANUAL', 'MEC'], ['WITHDRAWN'], ['AGREED'], ['PAYMENT_OVERDUE'], 'SELLER', ['DECIDED']),
  row(['SELL', 'AUTOMATIC', 'MEC'], ['WITHDRAWN'], ['AGREED'], ['PAYMENT_OVERDUE'], 'SELLER', ['DECIDED']),
  row(['BUY', 'AUTOMATIC', 'MEC'], ['WITHDRAWN'], ['WITHDRAWN'], ['DEPOSIT_OVERDUE'], 'BUYER', 'sold'),
  row(['SELL', 'MANUAL', 'ART'], ['WITHDRAWN'], ['AGREED'], ['PAYMENT_OVERDUE'], 'BUYER', 'sold'),
  row(
    ['BUY', 'MANUAL', 'MEC'],
    ['WITHDRAWN', 'returned'],
    ['AGREED', 'returned at a cost'],
    ['PAYMENT_OVERDUE', 'returned'],
    'SELLER',
    ['DECIDED', 'returned'],
  ),
  row(['SELL', 'AUTOMATIC', 'ART'], ['WITHDRAWN'], ['AGREED'], ['PAYMENT_OVERDUE'], 'SELLER', [
    'DECIDED',
    'returned',
  ]),
]

const QUANTITIES = {
  reorganized: '7',
  'buyer cancels': '3',
  'seller cancels': '4',
  completed: '2',
  expired: '5',
  appealed: '6',
} as const

/** The endings of the orders on one ad. The orders on an NFT follow one another, and those that wait for the clock have their own. */
const GROUPS: Record<AdvertType['base'], readonly (readonly Ending[])[]> = {
  MEC: [['reorganized'], ['buyer cancels', 'seller cancels', 'completed', 'expired', 'appealed']],
  ART: [['reorganized'], ['buyer cancels', 'seller cancels', 'completed'], ['expired'], ['appealed']],
}

interface Cell {
  name: string
  ending: Ending
  winner: 'BUYER' | 'SELLER'
  result: Result
  order: TestOrder
}

/** Returns an ad for each group of endings, and an order for each ending. */
function lay(holdings: Holdings, cast: readonly Person[], nfts: readonly (readonly number[])[]): Cell[][] {
  const person = (at: number) => cast[at % cast.length] as Person
  return ROWS.map(({ type, winner, results }, at) =>
    GROUPS[type.base].flatMap((endings, group) => {
      const quantities = endings.map((ending) => QUANTITIES[ending])
      const terms =
        type.base === 'ART'
          ? { quantity: '1', price: String(30 + group), nft: nfts[at]?.[group] }
          : { quantity: sum(quantities), price: '0.5' }
      const advert = new Advert(type, person(at), terms)
      return endings.map((ending) => {
        // Nobody may owe two deposits in a coin, so orders that wait for a deposit until they expire have another taker.
        const taker = person(at + (ending === 'expired' ? 2 : 1))
        const order = new TestOrder(holdings, advert, taker, type.base === 'ART' ? '1' : QUANTITIES[ending])
        return {
          name: `${type.kind} ${type.side} ${type.base}: ${ending}`,
          ending,
          winner,
          result: results[ending],
          order,
        }
      })
    }),
  )
}

/** Does the same for all types of ads side by side. */
async function all<T>(things: readonly T[], doing: (thing: T) => Promise<unknown>): Promise<void> {
  await Promise.all(things.map(doing))
}

test('orders on all types of ads have all endings, to the last unit', async ({
  bring,
  browser,
  chain,
  environment,
}) => {
  const cast: Person[] = []
  for (const _ of ROWS) cast.push(await bring())
  await all(cast, arrive)
  for (const one of cast) for (const coin of ['MEC', 'USDT'] as const) await give(one, coin)
  const nfts: number[][] = []
  for (const [at, { type }] of ROWS.entries()) {
    nfts.push(type.base === 'ART' ? await ownedNfts(cast[at] as Person, GROUPS.ART.length) : [])
  }
  const holdings = await Holdings.open(chain, cast)
  const rows = lay(holdings, cast, nfts)
  const cells = rows.flat()
  const having = (...endings: Ending[]) => cells.filter(({ ending }) => endings.includes(ending))
  const adverts = (some: readonly Cell[]) => [...new Set(some.map(({ order }) => order.advert))]
  const reorganized = having('reorganized')

  await test.step('everybody goes online, and sellers of NFTs recharge what they prepay', async () => {
    await all(cast, (one) => one.api.post('/c2c/advert/online?online=true'))
    await all(
      cast.filter((_, at) => ROWS[at]?.type.base === 'ART'),
      async (seller) => {
        const { custodyAddress } = await balance(seller)
        for (const _ of GROUPS.ART) await holdings.deposit(seller, custodyAddress, 'MEC', COSTS.prepayment)
        const line = async () => (await balance(seller)).lines.find(({ asset }) => asset === 'MEC')
        const prepaid = times(COSTS.prepayment, String(GROUPS.ART.length))
        await expect.poll(async () => (await line())?.temporary).toBe(prepaid)
      },
    )
  })

  const judge = Officer.forAppeals(environment, browser)
  const admin = judge.then(async () => Officer.arrive(environment, browser))
  await test.step('deposits leave the chain, their orders freeze, and the deposits come back', async () => {
    await all(adverts(reorganized), (advert) => advert.open(holdings))
    await all(reorganized, ({ order }) => order.begin())
    const deposits = reorganized.map(({ order }) => order.advert.hash ?? order.hash)
    await holdings.lose(deposits.filter((hash) => hash !== undefined))
    await all(reorganized, ({ order }) => order.reaches(/AWAITING_(?:DEPOSIT|PAYMENT)/, 'FROZEN'))
    await all(reorganized, ({ order }) => order.restore())
    // Payouts stop when the chain removes final deposits, which pauses the orders on NFTs.
    await all(reorganized, ({ order }) => {
      const overlay = order.advert.type.base === 'ART' ? 'PAUSED' : null
      return order.reaches(/AWAITING_(?:DEPOSIT|PAYMENT)/, overlay)
    })
    await (await admin).resume()
    await all(reorganized, ({ order }) => order.reaches(/AWAITING_(?:DEPOSIT|PAYMENT)/))
    await all(reorganized, ({ order }) => order.settle())
  })

  await test.step('buyers and sellers end orders, or leave them to the clock', async () => {
    const others = cells.filter((cell) => !reorganized.includes(cell))
    await all(adverts(others), (advert) => advert.open(holdings))
    await all(rows, async (row) => {
      for (const { ending, order, result } of row) {
        if (ending === 'reorganized') continue
        await order.begin()
        if (ending === 'completed') await order.settle()
        if (ending === 'buyer cancels') await order.cancel('buyer')
        if (ending === 'seller cancels') await order.cancel('seller')
        if (ending === 'appealed') await order.dispute(result === 'sold')
      }
    })
    await environment.letPass(15.1)
  })

  await test.step('parties appeal, and an officer decides', async () => {
    await all(having('appealed'), async ({ order, winner, result }) => {
      const appeal = await order.appeal()
      if (result === 'sold' || result[1] !== undefined) await order.depositLate()
      await decide(await judge, appeal, winner)
    })
    await environment.letPass(24 * 60 + 1)
  })

  await test.step('all orders have ended, and the parties see how', async () => {
    for (const { order, result, ending } of cells) {
      if (result === 'sold') {
        if (ending === 'appealed') order.sold()
      } else if (result[1] !== undefined) order.refunded(result[1] === 'returned at a cost')
    }
    await all(cells, async ({ order, result, name }) => test.step(name, async () => check(order, result)))
  })

  await test.step('what remains returns, and the holdings agree with the chain', async () => {
    await all(adverts(cells), async (advert) => {
      const sold = cells.filter(({ order, result }) => order.advert === advert && result === 'sold')
      await advert.revoke(holdings, minus(advert.quantity, sum(sold.map(({ order }) => order.quantity))))
      if (advert.nft === undefined) return
      const owner = sold[0]?.order.buyer ?? advert.owner
      expect((await chain.owner(advert.nft)).toLowerCase()).toBe(owner.address.toLowerCase())
    })
    await holdings.agree()
    // The sessions of the officers have ended meanwhile.
    const again = await Officer.arrive(environment, browser)
    await reconciles(again, chain)
    await again.page.context().close()
  })
  for (const officer of [await admin, await judge]) await officer.page.context().close()
})

/** Checks that the product itself finds no difference between its ledger and the chain, in blocks from now on. */
async function reconciles(admin: Officer, chain: Chain): Promise<void> {
  interface Round {
    firstBlock: number
    assets: { difference: string; short: number; unknown: number; leftOut: number }[]
  }
  const round = async () => (await admin.get<{ escrow: Round | null }>('/dashboard')).escrow
  const final = Number(await chain.call<string>('eth_blockNumber')) - 2
  await expect.poll(async () => (await round())?.firstBlock ?? 0).toBeGreaterThanOrEqual(final)
  for (const asset of (await round())?.assets ?? []) {
    expect(asset).toMatchObject({ difference: '0', short: 0, unknown: 0, leftOut: 0 })
  }
}
