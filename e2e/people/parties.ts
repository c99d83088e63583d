import { test as base } from '../environment/stage.ts'
import type { Person } from './person.ts'
import { arrive } from './quick.ts'

export interface Parties {
  seller: Person
  buyer: Person
}

/** A test with two users who can trade. The buyer's screen is that of a phone unless a file chooses the other. */
export const test = base.extend<Parties & { buyerScreen: 'phone' | 'desktop' }>({
  buyerScreen: ['phone', { option: true }],
  seller: async ({ bring }, use) => {
    const seller = await bring()
    await arrive(seller)
    await use(seller)
  },
  buyer: async ({ bring, buyerScreen }, use) => {
    const buyer = await bring(buyerScreen)
    await arrive(buyer)
    await use(buyer)
  },
})

export async function seesBoth({ seller, buyer }: Parties, heading: RegExp): Promise<void> {
  await seller.seesHeading(heading)
  await buyer.seesHeading(heading)
}
