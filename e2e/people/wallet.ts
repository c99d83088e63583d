import { expect } from '@playwright/test'
import { ask, type Environment, tell } from '../environment/environment.ts'
import type { Person } from './person.ts'

interface Payment {
  to: string
  coin: 'MEC' | 'USDT' | 'ART'
  /** The number of the NFT, for ART. */
  amount: string
}

/** Sends coins from the page of the user's wallet. Returns the transaction's hash. */
export async function send(person: Person, { to, coin, amount }: Payment): Promise<string> {
  const wallet = await person.page.context().newPage()
  const query = new URLSearchParams({ person: person.name, to, coin, amount })
  await wallet.goto(`${person.environment.wallets}/?${query}`)
  await expect(wallet.getByLabel('Coin', { exact: true })).toHaveValue(coin)
  await wallet.getByRole('button', { name: 'Send' }).click()
  const said = wallet.getByText(/Done. Transaction 0x/)
  await expect(said).toBeVisible()
  const hash = /0x[0-9a-f]{64}/.exec(await said.innerText())?.[0]
  await wallet.close()
  if (hash === undefined) throw new Error('the wallet said no hash')
  return hash
}

interface Holder {
  address: string
  nfts: number[]
}

/** Returns everybody's accounts. */
async function holders(environment: Environment): Promise<Holder[]> {
  return (await ask(`${environment.wallets}/people`)) as Holder[]
}

/** Returns the number of an NFT in the user's own account. */
export async function ownedNft(person: Person): Promise<number> {
  const [number] = await ownedNfts(person, 1)
  if (number === undefined) throw new Error(`${person.name} has no NFT`)
  return number
}

/**
 * Returns the numbers of NFTs in the user's own account. If there are fewer, other accounts give theirs, the last ones first,
 * because users take the first accounts.
 */
export async function ownedNfts(person: Person, count: number): Promise<number[]> {
  const all = await holders(person.environment)
  const own = all.find(({ address }) => address.toLowerCase() === person.address.toLowerCase())?.nfts ?? []
  const others = all
    .filter(({ address }) => address.toLowerCase() !== person.address.toLowerCase())
    .toReversed()
  const gifts = others.flatMap(({ address, nfts }) => nfts.map((number) => ({ address, number })))
  const taken = gifts.slice(0, Math.max(0, count - own.length))
  for (const { address, number } of taken) {
    const gift = { from: address, to: person.address, coin: 'ART', amount: String(number) }
    await tell(`${person.environment.wallets}/send`, gift)
  }
  return [...own, ...taken.map(({ number }) => number)].slice(0, count)
}

/** Gives a user a thousand units of an asset. */
export async function give(person: Person, coin: 'MEC' | 'USDT'): Promise<void> {
  await tell(`${person.environment.wallets}/faucet`, { to: person.address, coin })
}
