import { expect } from '@playwright/test'
import type { Chain } from '../environment/chain.ts'
import { decimal, signedUnits } from './money.ts'
import { fundRecords } from './orderCalls.ts'
import type { Person } from './person.ts'
import { balance, pay } from './quick.ts'

export type Coin = 'MEC' | 'USDT'

export const DECIMALS = { MEC: 18, USDT: 6 } as const
const COINS = ['MEC', 'USDT'] as const

/** What a user should hold of a coin, in base units. */
interface Holding {
  /** In the user's own account. */
  wallet: bigint
  /** In custody, as the user's own. */
  custody: bigint
  /** In the user's vault, as fees and network fees that the platform has kept. */
  kept: bigint
}

/** What users should hold according to the specification, to compare with the chain and the product. */
export class Holdings {
  private readonly chain: Chain
  private readonly held = new Map<Person, Record<Coin, Holding>>()
  private readonly sending = new Map<Person, Promise<string>>()
  /** What to undo if a transaction leaves the chain. */
  private readonly undone = new Map<string, () => void>()

  private constructor(chain: Chain) {
    this.chain = chain
  }

  /** Begins with what the users have in their own accounts, and nothing in custody. */
  static async open(chain: Chain, users: readonly Person[]): Promise<Holdings> {
    const holdings = new Holdings(chain)
    for (const user of users) {
      const holding = async (coin: Coin) => ({
        wallet: await holdings.onChain(coin, user.address),
        custody: 0n,
        kept: 0n,
      })
      holdings.held.set(user, { MEC: await holding('MEC'), USDT: await holding('USDT') })
    }
    return holdings
  }

  private of(user: Person, coin: Coin): Holding {
    const found = this.held.get(user)
    if (found === undefined) throw new Error(`${user.name} holds nothing here`)
    return found[coin]
  }

  /** Records a change of what a user holds. Amounts may be negative, as in `-0.5`. */
  add(user: Person, coin: Coin, change: Partial<Record<keyof Holding, string>>): void {
    const holding = this.of(user, coin)
    for (const place of ['wallet', 'custody', 'kept'] as const) {
      const amount = change[place]
      if (amount === undefined) continue
      holding[place] += signedUnits(amount, DECIMALS[coin])
    }
  }

  /** Sends coins, or the NFT with a number, from the user's own account, which pays the gas. Returns the transaction's hash. */
  async send(user: Person, to: string, coin: Coin | 'ART', amount: string): Promise<string> {
    // The node numbers the transactions of an account when they arrive, so one must not overtake another.
    const sent = (this.sending.get(user) ?? Promise.resolve('')).then(async () => pay(user, to, coin, amount))
    this.sending.set(user, sent)
    const hash = await sent
    const gas = await this.chain.gas(hash)
    if (coin !== 'ART') this.add(user, coin, { wallet: `-${amount}` })
    this.of(user, 'MEC').wallet -= gas
    this.undone.set(hash, () => {
      if (coin !== 'ART') this.add(user, coin, { wallet: amount })
      this.of(user, 'MEC').wallet += gas
    })
    return hash
  }

  /** Sends coins, or the NFT with a number, into the user's custody. */
  async deposit(user: Person, to: string, coin: Coin | 'ART', amount: string): Promise<string> {
    const hash = await this.send(user, to, coin, amount)
    if (coin === 'ART') return hash
    this.add(user, coin, { custody: amount })
    const sent = this.undone.get(hash)
    this.undone.set(hash, () => {
      sent?.()
      this.add(user, coin, { custody: `-${amount}` })
    })
    return hash
  }

  /** Removes transactions from the chain, and whatever else is in the newest blocks down to them. */
  async lose(hashes: readonly string[]): Promise<void> {
    await this.chain.lose(...hashes)
    for (const hash of hashes) this.undone.get(hash)?.()
  }

  /** Compares the holdings with the chain, with the balances that users see, and with the sum of their fund records. */
  async agree(): Promise<void> {
    for (const user of this.held.keys()) {
      const { custodyAddress, lines } = await balance(user)
      const records = await fundRecords(user)
      for (const coin of COINS) {
        const { wallet, custody, kept } = this.of(user, coin)
        const seen = {
          wallet: await this.onChain(coin, user.address),
          vault: await this.onChain(coin, custodyAddress),
          balance: lines.find(({ asset }) => asset === coin),
          records: records
            .filter(({ asset }) => asset === coin)
            .reduce((sum, { effect }) => sum + signedUnits(effect, DECIMALS[coin]), 0n),
        }
        expect(seen, `${coin} of ${user.name}`).toMatchObject({
          wallet,
          vault: custody + kept,
          balance: {
            temporary: decimal(custody, DECIMALS[coin]),
            inAdverts: '0',
            inOrders: '0',
            inFlight: '0',
            debt: '0',
          },
          records: custody,
        })
      }
    }
  }

  private async onChain(coin: Coin, address: string): Promise<bigint> {
    return coin === 'MEC' ? this.chain.mec(address) : this.chain.usdt(address)
  }
}
