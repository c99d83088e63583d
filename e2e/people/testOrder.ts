import { expect } from '@playwright/test'
import type { Holdings } from './holdings.ts'
import { feeOf, times } from './money.ts'
import { act, appeal, confirm, type Order, orderOf, reaches } from './orderCalls.ts'
import type { Person } from './person.ts'
import { advertOf, balance, post, postNft } from './quick.ts'

/** What decides how an ad is traded. */
export interface AdvertType {
  side: 'SELL' | 'BUY'
  kind: 'MANUAL' | 'AUTOMATIC'
  base: 'MEC' | 'ART'
}

/** What the seller of an NFT prepays, the network fee in it, and what the return of a coin costs. */
export const COSTS = { prepayment: '2.01', gas: '0.01', return: { MEC: '0.001', USDT: '0.5' } } as const

/** An ad and the deposit behind it. */
export class Advert {
  readonly type: AdvertType
  readonly owner: Person
  readonly quantity: string
  readonly price: string
  /** The number of the NFT. */
  readonly nft: number | undefined
  id = ''
  /** The hash of the deposit, unless the ad needs none. */
  hash: string | undefined
  private to: string | undefined

  /** An ad for MEC, or for an NFT if there is a number. */
  constructor(
    type: AdvertType,
    owner: Person,
    terms: { quantity: string; price: string; nft?: number | undefined },
  ) {
    this.type = type
    this.owner = owner
    this.quantity = terms.quantity
    this.price = terms.price
    this.nft = terms.nft
  }

  /** Posts the ad, deposits what it needs, and waits until it takes orders. */
  async open(holdings: Holdings): Promise<void> {
    const { type, owner, price, quantity } = this
    const automatic = type.kind === 'AUTOMATIC'
    const { id, deposit } =
      this.nft === undefined
        ? await post(owner, {
            ...(type.side === 'BUY' ? { side: 'BUY' } : {}),
            base: 'MEC',
            quote: 'USDT',
            kind: automatic ? 'Automatic release' : 'Manual release',
            price,
            quantity,
          })
        : await postNft(owner, this.nft, { kind: type.kind, price })
    this.id = id
    this.to = deposit?.address
    await this.fund(holdings)
    await expect.poll(async () => (await advertOf(owner, id)).state).toBe('ONLINE')
  }

  /** Sends the deposit, for the first time or again. */
  async fund(holdings: Holdings): Promise<void> {
    const { type, owner, to } = this
    if (to === undefined) return
    if (this.nft !== undefined) this.hash = await holdings.deposit(owner, to, 'ART', String(this.nft))
    else if (type.side === 'SELL') this.hash = await holdings.deposit(owner, to, 'MEC', this.quantity)
    else this.hash = await holdings.deposit(owner, to, 'USDT', times(this.quantity, this.price))
  }

  /** Revokes the ad, whose remaining quantity of MEC, or NFT, returns to its owner. */
  async revoke(holdings: Holdings, remaining: string): Promise<void> {
    const { type, owner, id } = this
    const { state, version } = await advertOf(owner, id)
    if (state !== 'CANCELLED') await owner.api.post(`/c2c/advert/cancel/${id}`, { version })
    await expect.poll(async () => (await advertOf(owner, id)).state).toBe('CANCELLED')
    if (remaining === '0' || this.to === undefined) return
    if (this.nft !== undefined) {
      holdings.add(owner, 'MEC', { custody: `-${COSTS.gas}`, kept: COSTS.gas })
      return
    }
    const coin = type.side === 'SELL' ? 'MEC' : 'USDT'
    const amount = type.side === 'SELL' ? remaining : times(remaining, this.price)
    const gas = COSTS.return[coin]
    holdings.add(owner, coin, { custody: `-${amount}`, wallet: amount, kept: gas })
    holdings.add(owner, coin, { wallet: `-${gas}` })
  }
}

/** An order between two people. */
export class TestOrder {
  readonly advert: Advert
  readonly taker: Person
  readonly quantity: string
  private readonly holdings: Holdings
  id = ''
  /** The hash of the taker's deposit. */
  hash: string | undefined

  constructor(holdings: Holdings, advert: Advert, taker: Person, quantity: string) {
    this.holdings = holdings
    this.advert = advert
    this.taker = taker
    this.quantity = quantity
  }

  get seller(): Person {
    return this.advert.type.side === 'SELL' ? this.advert.owner : this.taker
  }
  get buyer(): Person {
    return this.advert.type.side === 'SELL' ? this.taker : this.advert.owner
  }
  get total(): string {
    return times(this.quantity, this.advert.price)
  }
  private get manual(): boolean {
    return this.advert.type.kind === 'MANUAL'
  }
  /** What the taker deposits for the order, if anything. */
  get deposit(): { coin: 'MEC' | 'USDT'; amount: string } | undefined {
    if (this.advert.type.side === 'BUY') return { coin: 'MEC', amount: this.quantity }
    return this.manual ? undefined : { coin: 'USDT', amount: this.total }
  }

  async reaches(state: RegExp, overlay: string | null = null): Promise<Order> {
    await reaches(this.seller, this.id, state, overlay)
    return reaches(this.buyer, this.id, state, overlay)
  }

  /** Places the order and, if a person must confirm it, goes on until the buyer must pay. Otherwise a deposit of the taker ends it. */
  async begin(): Promise<void> {
    const { advert, taker, quantity } = this
    const terms = { advertId: advert.id, price: advert.price, quantity }
    this.id = (await taker.api.post<{ id: string }>('/c2c/deal/order', terms)).id
    if (!this.manual) return
    await act(advert.owner, this.id, 'take')
    if (this.deposit !== undefined) await this.fund()
    await this.reaches(/AWAITING_PAYMENT/)
  }

  /** Sends the taker's deposit, for the first time or again. */
  async fund(): Promise<void> {
    const { deposit, taker } = this
    if (deposit === undefined) return
    const { custodyAddress } = await balance(taker)
    this.hash = await this.holdings.deposit(taker, custodyAddress, deposit.coin, deposit.amount)
  }

  /** Pays the seller directly, without saying so. */
  async payDirectly(): Promise<string> {
    const { payToAddress } = await orderOf(this.buyer, this.id)
    this.holdings.add(this.seller, 'USDT', { wallet: this.total })
    return this.holdings.send(this.buyer, payToAddress?.address ?? '', 'USDT', this.total)
  }

  async markPaid(hash?: string): Promise<void> {
    await act(this.buyer, this.id, 'pay', { hash })
    await this.reaches(/AWAITING_CONFIRMATION/)
  }

  /** Pays, and lets the coins or the NFT be released. */
  async settle(): Promise<void> {
    if (this.manual) {
      await this.markPaid(await this.payDirectly())
      await confirm(this.seller, this.id)
    } else await this.fund()
    await this.reaches(/RELEASING|COMPLETED/)
    this.sold()
  }

  /** Records a trade in the holdings. */
  sold(): void {
    const { holdings, seller, buyer, quantity, total } = this
    if (this.advert.nft === undefined) {
      const fee = feeOf(quantity)
      holdings.add(seller, 'MEC', { custody: `-${quantity}`, kept: fee })
      holdings.add(buyer, 'MEC', { wallet: quantity })
      holdings.add(buyer, 'MEC', { wallet: `-${fee}` })
    } else {
      holdings.add(seller, 'MEC', { custody: `-${COSTS.prepayment}`, kept: COSTS.prepayment })
    }
    if (this.manual) return
    holdings.add(buyer, 'USDT', { custody: `-${total}` })
    holdings.add(seller, 'USDT', { wallet: total })
  }

  /** Records the return of the taker's deposit in the holdings. */
  refunded(atCost: boolean): void {
    const { holdings, deposit, taker } = this
    if (deposit === undefined) return
    holdings.add(taker, deposit.coin, { custody: `-${deposit.amount}`, wallet: deposit.amount })
    if (!atCost) return
    const gas = COSTS.return[deposit.coin]
    holdings.add(taker, deposit.coin, { wallet: `-${gas}`, kept: gas })
  }

  /** Sends the deposit again that has left the chain. */
  async restore(): Promise<void> {
    if (this.advert.hash === undefined) await this.fund()
    else await this.advert.fund(this.holdings)
  }

  /** Leaves the order to an appeal. The buyer of a manual order says that they have paid, which may be true. */
  async dispute(paid: boolean): Promise<void> {
    if (this.manual) await this.markPaid(paid ? await this.payDirectly() : undefined)
  }

  /** Files an appeal for the party who waits for the other. Returns its ID. */
  async appeal(): Promise<string> {
    if (this.manual) return appeal(this.seller, this.id, 'PAYMENT_NOT_RECEIVED')
    if (this.advert.type.side === 'SELL') return appeal(this.seller, this.id, 'NOT_PAID')
    return appeal(this.buyer, this.id, 'NOT_DEPOSITED')
  }

  /** Deposits while the order is under appeal, and waits until the coins are held. */
  async depositLate(): Promise<void> {
    if (this.manual) return
    await this.fund()
    await expect.poll(async () => (await orderOf(this.taker, this.id)).deposit).toBeNull()
  }

  async cancel(by: 'buyer' | 'seller'): Promise<void> {
    const { actions } = await this[by].api.get<{ actions: { action: string }[] }>(
      `/c2c/deal/order/${this.id}`,
    )
    if (actions.some(({ action }) => action === 'cancel')) await act(this[by], this.id, 'cancel')
    else {
      await act(this.seller, this.id, 'askCancel')
      await act(this.buyer, this.id, 'agreeCancel')
    }
    await this.reaches(/REFUNDING|CANCELLED/)
  }
}
