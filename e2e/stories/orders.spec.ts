import type { Person } from '../people/person.ts'
import { advertOf, arrive, order, sell } from '../people/quick.ts'
import { release } from '../people/trading.ts'
import { expect, test } from '../world/stage.ts'

const TERMS = { base: 'MEC', quote: 'USDT', price: '0.5', quantity: '8' } as const

interface Scene {
  seller: Person
  buyer: Person
  advert: string
}

/** A seller with 8 MEC in the hall, and somebody who wants some. */
const scene = test.extend<Scene>({
  seller: async ({ bring }, use, info) => {
    const seller = await bring(`Person ${17 + 2 * (numberOf(info.title) - 1)}`)
    await arrive(seller)
    await use(seller)
  },
  buyer: async ({ bring }, use, info) => {
    const buyer = await bring(`Person ${18 + 2 * (numberOf(info.title) - 1)}`)
    await arrive(buyer)
    await use(buyer)
  },
  advert: async ({ seller }, use) => {
    await use(await sell(seller, TERMS))
  },
})

/** Each story has people of its own, by its number. */
function numberOf(title: string): number {
  return Number.parseInt(title, 10)
}

async function seesBoth({ seller, buyer }: Scene, heading: RegExp): Promise<void> {
  await seller.seesHeading(heading)
  await buyer.seesHeading(heading)
}

/** All of the ad's coins are for sale again, on the product's word and in its row. */
async function isForSale({ seller, advert }: Scene, remaining: string): Promise<void> {
  await expect.poll(async () => (await advertOf(seller, advert)).remaining).toBe(remaining)
}

async function accept(scene: Scene): Promise<void> {
  await scene.seller.tap('Accept order')
  await scene.buyer.seesHeading(/Pay the seller within/)
}

scene('1 before acceptance the buyer cancels, which costs nothing', async ({ seller, buyer, advert }) => {
  await order(buyer, seller, advert, '5')
  await isForSale({ seller, buyer, advert }, '3')
  await buyer.tap('Cancel')
  await buyer.sees('This costs you nothing.')
  await buyer.sees('3 free cancellations are left today.')
  await buyer.picture('cancel-sheet')
  await buyer.tap('Cancel order')
  await seesBoth({ seller, buyer, advert }, /This order was cancelled/)
  await buyer.sees('One of the two cancelled it.')
  await isForSale({ seller, buyer, advert }, '8')
})

scene('2 the seller rejects', async ({ seller, buyer, advert }) => {
  await order(buyer, seller, advert, '5')
  await seller.tap('Reject')
  await seller.tap('Reject order')
  await seller.seesHeading(/You did not take this order/)
  await buyer.seesHeading(/The seller did not take this order/)
  await isForSale({ seller, buyer, advert }, '8')
})

scene('3 nobody accepts in time', async ({ seller, buyer, advert, world }) => {
  await order(buyer, seller, advert, '5')
  await buyer.seesHeading(/Waiting for the other side to accept/)
  await world.letPass(5.1)
  await seesBoth({ seller, buyer, advert }, /This order was cancelled/)
  await buyer.sees('Nobody accepted it in time.')
  await isForSale({ seller, buyer, advert }, '8')
})

scene('4 the buyer cancels instead of paying', async ({ seller, buyer, advert }) => {
  await order(buyer, seller, advert, '5')
  await accept({ seller, buyer, advert })
  await buyer.tap('Cancel')
  await buyer.sees('Do not cancel when you have paid: you would have neither coins nor money.')
  await buyer.tap('Cancel order')
  await seesBoth({ seller, buyer, advert }, /This order was cancelled/)
  await isForSale({ seller, buyer, advert }, '8')
})

scene('5 the seller asks to cancel, and the buyer agrees', async ({ seller, buyer, advert }) => {
  await order(buyer, seller, advert, '5')
  await accept({ seller, buyer, advert })
  await seller.tap('Ask to cancel')
  await buyer.tap('Agree to cancel')
  await seesBoth({ seller, buyer, advert }, /This order was cancelled/)
  await buyer.sees('Both sides agreed to cancel it.')
  await isForSale({ seller, buyer, advert }, '8')
})

scene(
  '6 the payment is overdue: it may still be made, then the order ends',
  async ({ seller, buyer, advert, world }) => {
    await order(buyer, seller, advert, '5')
    await accept({ seller, buyer, advert })
    await world.letPass(15.1)
    await buyer.seesHeading(/Your payment is overdue/)
    await buyer.sees(/It can still be done for/)
    await expect(buyer.page.getByRole('button', { name: 'I have paid' })).toBeVisible()
    await buyer.picture('payment-overdue')
    await world.letPass(10.1)
    await seesBoth({ seller, buyer, advert }, /This order was cancelled/)
    await buyer.sees('The payment did not come in time.')
    await isForSale({ seller, buyer, advert }, '8')
  },
)

scene(
  '7 after saying paid, the buyer cancels with the security password only',
  async ({ seller, buyer, advert }) => {
    await order(buyer, seller, advert, '5')
    await accept({ seller, buyer, advert })
    await buyer.tap('I have paid')
    await buyer.tap('Yes, I paid 2.5 USDT')
    await buyer.seesHeading(/Waiting for the seller to confirm/)
    await buyer.tap('Cancel')
    await buyer.fill('Security password', 'not the right one')
    await buyer.tap('Cancel order')
    await buyer.sees(/security password is wrong|password is incorrect/i)
    await buyer.fill('Security password', buyer.securityPassword)
    await buyer.tap('Cancel order')
    await seesBoth({ seller, buyer, advert }, /This order was cancelled/)
    await isForSale({ seller, buyer, advert }, '8')
  },
)

scene(
  '8 the confirmation is overdue: nothing is cancelled, and the seller may still confirm',
  async ({ seller, buyer, advert, world }) => {
    await order(buyer, seller, advert, '5')
    await accept({ seller, buyer, advert })
    await buyer.tap('I have paid')
    await buyer.tap('Yes, I paid 2.5 USDT')
    await seller.seesHeading(/Check your account and confirm within/)
    await world.letPass(24 * 60)
    await buyer.seesHeading(/The seller’s confirmation is overdue/)
    await seller.seesHeading(/Your confirmation is overdue/)
    await expect(buyer.page.getByRole('button', { name: /appeal/i })).toHaveCount(0)
    await release(seller, '5 MEC')
    await buyer.seesHeading(/Done. The coins are yours./)
  },
)
