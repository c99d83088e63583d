import { expect } from '@playwright/test'
import type { Person } from './person.ts'
import { type Advert, advertOf, pay, postNft, recharge } from './quick.ts'
import { takeOrders } from './selling.ts'
import { give, ownedNft } from './wallet.ts'

/** An NFT for sale. */
export interface ForSale {
  /** The ID of the ad. */
  advert: string
  number: number
  /** The name of the NFT on screens. */
  name: string
  /** Where the NFT was deposited, and the hash of the transaction. */
  to: string
  hash: string
}

/** Recharges what an ad for an NFT costs, and a little more. */
export async function prepay(seller: Person): Promise<void> {
  await give(seller, 'MEC')
  await recharge(seller, 'MEC', '3')
}

/** Returns the number and the name of an NFT in the user's own account. */
export async function nftOf(person: Person): Promise<{ number: number; name: string }> {
  const number = await ownedNft(person)
  return { number, name: `Pixel Gardens #${number}` }
}

/** Offers one of the user's NFTs, and deposits it. */
export async function sellNft(
  seller: Person,
  terms: { kind: 'MANUAL' | 'AUTOMATIC'; price: string },
): Promise<ForSale> {
  const { number, name } = await nftOf(seller)
  await prepay(seller)
  const { id, deposit } = await postNft(seller, number, terms)
  const to = deposit?.address ?? ''
  const hash = await pay(seller, to, 'ART', String(number))
  await isOffered(seller, id)
  await takeOrders(seller)
  return { advert: id, number, name, to, hash }
}

/** Waits until the ad has its NFT. */
export async function isOffered(seller: Person, id: string): Promise<Advert> {
  await expect.poll(async () => (await advertOf(seller, id)).state).toMatch(/^O(N|FF)LINE$/)
  return advertOf(seller, id)
}

/** Fills in the wizard for an NFT in the user's own account, and creates the ad. Returns the ad's ID. */
export async function publishNft(seller: Person, number: number, price: string): Promise<string> {
  const { page } = seller
  await seller.open('/publish')
  await page.getByRole('radio', { name: /^Pixel Gardens/ }).check()
  const currencies = page.getByRole('group', { name: 'What do you want to be paid in?' })
  await currencies.getByRole('radio', { name: /^USDT/ }).check()
  await page.getByRole('radio', { name: /^Manual release/ }).check()
  await seller.tap('Continue')
  await seller.fill('Number of the NFT', String(number))
  await seller.fill('Price of the NFT', price)
  await seller.tap('Continue')
  await seller.tap('Continue')
  await seller.picture('nft-review')
  await seller.tap('Create ad')
  await expect(page).toHaveURL(/\/creatingOther\?id=/)
  return new URL(page.url()).searchParams.get('id') ?? ''
}

/** Finds an NFT in the hall and orders it. Returns the ID of the order. */
export async function buyNft(buyer: Person, advert: string, price: string): Promise<string> {
  const { page } = buyer
  await buyer.open('/')
  await page.getByText('NFTs', { exact: true }).first().click()
  await page.locator(`a[href*="${advert}"]`).click()
  await expect(page).toHaveURL(/\/nft\/purchaseOrder/)
  await buyer.picture('nft-purchase')
  await page
    .getByRole('button', { name: `Buy for ${price} USDT` })
    .last()
    .click()
  await expect(page).toHaveURL(/\/orderDetail\?id=/)
  return new URL(page.url()).searchParams.get('id') ?? ''
}
