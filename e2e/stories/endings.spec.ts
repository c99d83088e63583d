import type { Chain } from '../environment/chain.ts'
import { expect, test } from '../environment/stage.ts'
import { Books } from '../people/books.ts'
import { Advert, COSTS, Deal, type Kind } from '../people/deal.ts'
import { decide } from '../people/dealing.ts'
import { minus, sum, times } from '../people/money.ts'
import { Officer } from '../people/officer.ts'
import { check, type Result } from '../people/outcome.ts'
import type { Person } from '../people/person.ts'
import { arrive, balance } from '../people/quick.ts'
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
  kind: Kind
  /** Who wins the appeal. */
  winner: 'BUYER' | 'SELLER'
  results: Record<Ending, Result>
}

/** Returns what becomes of the orders on a kind of ad that a party cancels, that expire, and that an officer decides. */
function row(
  [side, kind, base]: [Kind['side'], Kind['kind'], Kind['base']],
  ...[buyer, seller, expired, winner, appealed]: [Result, Result, Result, Row['winner'], Result]
): Row {
  const ends = { 'buyer cancels': buyer, 'seller cancels': seller, expired, appealed }
  return { kind: { side, kind, base }, winner, results: { reorganized: 'sold', completed: 'sold', ...ends } }
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
const GROUPS: Record<Kind['base'], readonly (readonly Ending[])[]> = {
  MEC: [['reorganized'], ['buyer cancels', 'seller cancels', 'completed', 'expired', 'appealed']],
  ART: [['reorganized'], ['buyer cancels', 'seller cancels', 'completed'], ['expired'], ['appealed']],
}

interface Cell {
  name: string
  ending: Ending
  winner: 'BUYER' | 'SELLER'
  result: Result
  deal: Deal
}

/** Returns an ad for each group of endings, and an order for each ending. */
function lay(books: Books, cast: readonly Person[], nfts: readonly (readonly number[])[]): Cell[][] {
  const person = (at: number) => cast[at % cast.length] as Person
  return ROWS.map(({ kind, winner, results }, at) =>
    GROUPS[kind.base].flatMap((endings, group) => {
      const quantities = endings.map((ending) => QUANTITIES[ending])
      const terms =
        kind.base === 'ART'
          ? { quantity: '1', price: String(30 + group), nft: nfts[at]?.[group] }
          : { quantity: sum(quantities), price: '0.5' }
      const advert = new Advert(kind, person(at), terms)
      return endings.map((ending) => {
        // Nobody may owe two deposits in a coin, so orders that wait for a deposit until they expire have another taker.
        const taker = person(at + (ending === 'expired' ? 2 : 1))
        const deal = new Deal(books, advert, taker, kind.base === 'ART' ? '1' : QUANTITIES[ending])
        return {
          name: `${kind.kind} ${kind.side} ${kind.base}: ${ending}`,
          ending,
          winner,
          result: results[ending],
          deal,
        }
      })
    }),
  )
}

/** Does the same for all kinds of ads side by side. */
async function all<T>(things: readonly T[], doing: (thing: T) => Promise<unknown>): Promise<void> {
  await Promise.all(things.map(doing))
}

/** Resumes all payouts, which the loss of final blocks has stopped, once the ledger agrees with the chain. */
async function resumePayouts(officer: Officer): Promise<void> {
  interface Stop {
    assetId: number
    version: string
  }
  const stops = async () => (await officer.get<{ stops: Stop[] }>('/payouts')).stops
  await expect.poll(async () => (await stops()).length).toBeGreaterThan(0)
  for (const { assetId, version } of await stops()) {
    await officer.post(`/payouts/${assetId}/resume`, { version, reason: 'The deposits are back.' })
  }
  expect(await stops()).toEqual([])
}

test('orders on all kinds of ads have all endings, to the last unit', async ({
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
  for (const [at, { kind }] of ROWS.entries()) {
    nfts.push(kind.base === 'ART' ? await ownedNfts(cast[at] as Person, GROUPS.ART.length) : [])
  }
  const books = await Books.open(chain, cast)
  const kinds = lay(books, cast, nfts)
  const cells = kinds.flat()
  const having = (...endings: Ending[]) => cells.filter(({ ending }) => endings.includes(ending))
  const adverts = (some: readonly Cell[]) => [...new Set(some.map(({ deal }) => deal.advert))]
  const reorganized = having('reorganized')

  await test.step('everybody goes online, and sellers of NFTs recharge what they prepay', async () => {
    await all(cast, (one) => one.api.post('/c2c/advert/online?online=true'))
    await all(
      cast.filter((_, at) => ROWS[at]?.kind.base === 'ART'),
      async (seller) => {
        const { custodyAddress } = await balance(seller)
        for (const _ of GROUPS.ART) await books.deposit(seller, custodyAddress, 'MEC', COSTS.prepayment)
        const line = async () => (await balance(seller)).lines.find(({ asset }) => asset === 'MEC')
        const prepaid = times(COSTS.prepayment, String(GROUPS.ART.length))
        await expect.poll(async () => (await line())?.temporary).toBe(prepaid)
      },
    )
  })

  const judge = Officer.forAppeals(environment, browser)
  const admin = judge.then(async () => Officer.arrive(environment, browser))
  await test.step('deposits leave the chain, their orders freeze, and the deposits come back', async () => {
    await all(adverts(reorganized), (advert) => advert.open(books))
    await all(reorganized, ({ deal }) => deal.begin())
    const deposits = reorganized.map(({ deal }) => deal.advert.hash ?? deal.hash)
    await books.lose(deposits.filter((hash) => hash !== undefined))
    await all(reorganized, ({ deal }) => deal.reaches(/AWAITING_(?:DEPOSIT|PAYMENT)/, 'FROZEN'))
    await all(reorganized, ({ deal }) => deal.restore())
    await all(reorganized, ({ deal }) => deal.reaches(/AWAITING_(?:DEPOSIT|PAYMENT)/))
    await all(reorganized, ({ deal }) => deal.settle())
    await resumePayouts(await admin)
  })

  await test.step('buyers and sellers end orders, or leave them to the clock', async () => {
    const others = cells.filter((cell) => !reorganized.includes(cell))
    await all(adverts(others), (advert) => advert.open(books))
    await all(kinds, async (kind) => {
      for (const { ending, deal, result } of kind) {
        if (ending === 'reorganized') continue
        await deal.begin()
        if (ending === 'completed') await deal.settle()
        if (ending === 'buyer cancels') await deal.cancel('buyer')
        if (ending === 'seller cancels') await deal.cancel('seller')
        if (ending === 'appealed') await deal.dispute(result === 'sold')
      }
    })
    await environment.letPass(15.1)
  })

  await test.step('parties appeal, and an officer decides', async () => {
    await all(having('appealed'), async ({ deal, winner, result }) => {
      const appeal = await deal.appeal()
      if (result === 'sold' || result[1] !== undefined) await deal.depositLate()
      await decide(await judge, appeal, winner)
    })
    await environment.letPass(24 * 60 + 1)
  })

  await test.step('all orders have ended, and the parties see how', async () => {
    for (const { deal, result, ending } of cells) {
      if (result === 'sold') {
        if (ending === 'appealed') deal.sold()
      } else if (result[1] !== undefined) deal.refunded(result[1] === 'returned at a cost')
    }
    await all(cells, async ({ deal, result, name }) => test.step(name, async () => check(deal, result)))
  })

  await test.step('what remains returns, and the books agree with the chain', async () => {
    await all(adverts(cells), async (advert) => {
      const sold = cells.filter(({ deal, result }) => deal.advert === advert && result === 'sold')
      await advert.revoke(books, minus(advert.quantity, sum(sold.map(({ deal }) => deal.quantity))))
      if (advert.nft === undefined) return
      const owner = sold[0]?.deal.buyer ?? advert.owner
      expect((await chain.owner(advert.nft)).toLowerCase()).toBe(owner.address.toLowerCase())
    })
    await books.agree()
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
