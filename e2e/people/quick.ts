import { expect } from '@playwright/test'
import { tell } from '../environment/environment.ts'
import { Refused } from './api.ts'
import { times } from './money.ts'
import type { Person } from './person.ts'
import { custodyAddress, type Terms, takeOrders } from './selling.ts'
import { acceptOrder } from './trading.ts'

interface Session {
  token: string
  userId: string
}

/** Registers a user with API calls, and leaves their browser logged in. */
export async function arrive(person: Person): Promise<void> {
  const { api, environment } = person
  const { id, qrCodeUrl, number } = await api.get<{ id: string; qrCodeUrl: string; number: number }>(
    `/scan/genQrCodeUrl/${person.meId}?purpose=register&returnTo=/register`,
  )
  const asked = new URL(qrCodeUrl).searchParams
  await tell(`${environment.pass}/approve`, {
    challenge: asked.get('challenge'),
    audience: asked.get('audience'),
    callback: asked.get('callback'),
    person: person.meId,
    number,
  })
  const { ticket } = await api.get<{ ticket: string }>(`/scan/result/${id}`)
  const sent = await api.post<{ id: string }>('/email/send', {
    email: person.email,
    purpose: 'register',
    slideToken: await api.slideToken(),
  })
  const session = await api.post<Session>('/user/register', {
    ticket,
    email: person.email,
    emailCode: await person.mailedCode(),
    emailCodeId: sent.id,
    password: await api.seal(person.password),
    receivingAddress: person.address,
    chainType: 'ERC20',
    termsAccepted: true,
  })
  api.signIn(session.token)
  await api.post('/user/updateInfo', { nickname: person.nickname })
  await api.post('/user/updateInfo', {
    newSecurityCode: await api.seal(person.securityPassword),
    password: await api.seal(person.password),
  })
  await person.page.context().addCookies([
    { name: 'MEC2C-token', value: session.token, url: environment.product },
    { name: 'userId', value: session.userId, url: environment.product },
  ])
}

export interface Advert {
  id: string
  version: number
  state: string
  remaining: string
  deposit: { address: string } | null
}

/** Creates an ad, which then waits for its deposit if it needs one. One for a fiat currency needs payment methods. */
export async function post(
  seller: Person,
  terms: Terms,
  paymentMethodIds: readonly string[] = [],
): Promise<Advert> {
  const automatic = terms.kind === 'Automatic release'
  return seller.api.post('/c2c/advert/create', {
    side: terms.side ?? 'SELL',
    base: terms.base,
    quote: terms.quote,
    kind: automatic ? 'AUTOMATIC' : 'MANUAL',
    price: terms.price,
    quantity: terms.quantity,
    orderMin: terms.smallest ?? '1',
    orderMax: times(terms.price, terms.quantity),
    paymentMethodIds,
    // Other tests in the same environment may sell at other prices.
    farPriceConfirmed: true,
  })
}

/** Creates an ad for an NFT, which then waits for the NFT unless it is in custody. */
export async function postNft(
  seller: Person,
  number: number,
  { kind, price }: { kind: 'MANUAL' | 'AUTOMATIC'; price: string },
): Promise<Advert> {
  const album = {
    side: 'SELL',
    kind,
    base: 'ART',
    quote: 'USDT',
    nftId: String(number),
    paymentMethodIds: [],
  }
  const terms = { price, quantity: '1', orderMin: price, orderMax: price, farPriceConfirmed: true }
  return seller.api.post('/c2c/advert/create', { ...album, ...terms })
}

/** Sends coins, or the NFT with a number, from the user's own account. Returns the transaction's hash. */
export async function pay(
  person: Person,
  to: string,
  coin: 'MEC' | 'USDT' | 'ART',
  amount: string,
): Promise<string> {
  const sent = await tell(`${person.environment.wallets}/send`, { from: person.address, to, coin, amount })
  return (sent as { hash: string }).hash
}

/** A user's balance of a coin. Amounts are decimal strings. */
export interface Line {
  asset: string
  temporary: string
  inAdverts: string
  inOrders: string
  inFlight: string
  debt: string
}

/** Returns the user's balances and the address to which they send deposits. */
export async function balance(person: Person): Promise<{ custodyAddress: string; lines: Line[] }> {
  return person.api.get('/balance')
}

/** Sends coins into the user's custody, and waits until they are temporary balance. */
export async function recharge(person: Person, coin: 'MEC' | 'USDT', amount: string): Promise<void> {
  const { custodyAddress: to } = await balance(person)
  await pay(person, to, coin, amount)
  const temporary = async () => (await balance(person)).lines.find(({ asset }) => asset === coin)?.temporary
  await expect.poll(temporary).toBe(amount)
}

/** Posts a funded ad that is visible in the hall. */
export async function sell(
  seller: Person,
  terms: Terms,
  paymentMethodIds: readonly string[] = [],
): Promise<string> {
  const { id, deposit } = await post(seller, terms, paymentMethodIds)
  await pay(seller, deposit?.address ?? '', terms.base, terms.quantity)
  await expect.poll(() => stateOf(seller, id)).toMatch(/^O(N|FF)LINE$/)
  await takeOrders(seller)
  return id
}

/** Returns the owner's ad as the API returns it. */
export async function advertOf(seller: Person, id: string): Promise<Advert> {
  const { own } = await seller.api.get<{ own: Advert }>(`/c2c/advert/${id}`)
  return own
}

async function stateOf(seller: Person, id: string): Promise<string> {
  return (await advertOf(seller, id)).state
}

/** Places an order and opens its page for both parties. */
export async function order(
  buyer: Person,
  seller: Person,
  advertId: string,
  quantity: string,
): Promise<string> {
  const { price } = await buyer.api.get<{ price: string }>(`/c2c/advert/${advertId}`)
  const { id } = await buyer.api.post<{ id: string }>('/c2c/deal/order', { advertId, price, quantity })
  await Promise.all([buyer, seller].map((one) => one.open(`/orderDetail?id=${id}`)))
  return id
}

/** Places an order on an ad that buys, which its owner accepts and for which the seller deposits. The buyer may then pay. */
export async function orderAndDeposit(
  seller: Person,
  buyer: Person,
  advertId: string,
  quantity: string,
): Promise<string> {
  const id = await order(seller, buyer, advertId, quantity)
  await acceptOrder(buyer)
  await seller.seesHeading(/Deposit into escrow within/)
  await pay(seller, await custodyAddress(seller), 'MEC', quantity)
  await buyer.seesHeading(/Pay the seller within/)
  return id
}

/** Returns the code with which the product refuses. */
export async function refusal(doing: Promise<unknown>): Promise<string> {
  try {
    await doing
  } catch (error) {
    if (error instanceof Refused) return error.code
    throw error
  }
  return 'not refused'
}
