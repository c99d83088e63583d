import { expect } from '@playwright/test'
import { ask, tell } from '../environment/environment.ts'
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

/** Returns the number of an NFT in the user's own account. */
export async function ownedNft(person: Person): Promise<number> {
  const people = (await ask(`${person.environment.wallets}/people`)) as { address: string; nfts: number[] }[]
  const found = people.find((one) => one.address.toLowerCase() === person.address.toLowerCase())?.nfts[0]
  if (found === undefined) throw new Error(`${person.name} has no NFT`)
  return found
}

/** Gives a user a thousand units of an asset. */
export async function give(person: Person, coin: 'MEC' | 'USDT'): Promise<void> {
  await tell(`${person.environment.wallets}/faucet`, { to: person.address, coin })
}
