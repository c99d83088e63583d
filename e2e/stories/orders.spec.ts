import { expect } from '../environment/stage.ts'
import { type Parties, seesBoth, test } from '../people/parties.ts'
import { advertOf, order, pay, sell } from '../people/quick.ts'
import { custodyAddress } from '../people/selling.ts'
import { acceptOrder, letGraceEnd, release, seesCompleted } from '../people/trading.ts'
import { give } from '../people/wallet.ts'

const TERMS = { base: 'MEC', quote: 'USDT', price: '0.5', quantity: '8' } as const

interface Scene extends Parties {
  advert: string
}

/** Creates a seller with 8 MEC in the hall, and a buyer. */
const scene = test.extend<Pick<Scene, 'advert'>>({
  advert: async ({ seller }, use) => {
    await use(await sell(seller, TERMS))
  },
})

/** Waits until the API reports this remaining quantity of the ad. */
async function isForSale({ seller, advert }: Scene, remaining: string): Promise<void> {
  await expect.poll(async () => (await advertOf(seller, advert)).remaining).toBe(remaining)
}

async function accept(scene: Scene): Promise<void> {
  await acceptOrder(scene.seller)
  await scene.buyer.seesHeading(/Pay the seller within/)
}

scene('1 the buyer cancels before acceptance at no cost', async ({ seller, buyer, advert }) => {
  await order(buyer, seller, advert, '5')
  await isForSale({ seller, buyer, advert }, '3')
  await buyer.tap('Cancel')
  await buyer.sees(
    'This uses one of your free cancellations. You won’t lose credit. You’ll have 2 left today.',
  )
  await buyer.picture('cancel-sheet')
  await buyer.tap('Cancel order')
  await seesBoth({ seller, buyer }, /This order was cancelled/)
  await buyer.sees('You cancelled the order.')
  await seller.sees('The buyer cancelled the order.')
  await buyer.sees('5 MEC was returned to the seller. Nothing was released.')
  await seller.sees('5 MEC was returned to your ad. Nothing was released.')
  await isForSale({ seller, buyer, advert }, '8')
})

scene('2 the seller rejects the order', async ({ seller, buyer, advert }) => {
  await order(buyer, seller, advert, '5')
  await seller.tap('Reject')
  await seller.tap('Reject order')
  await seller.seesHeading(/You rejected this order/)
  await buyer.seesHeading(/The seller rejected this order/)
  await isForSale({ seller, buyer, advert }, '8')
})

scene('3 an order not accepted in time is cancelled', async ({ seller, buyer, advert, environment }) => {
  await order(buyer, seller, advert, '5')
  await buyer.seesHeading(/Waiting for the other party to accept/)
  await environment.letPass(5.1)
  await seesBoth({ seller, buyer }, /This order was cancelled/)
  await buyer.sees('The order wasn’t accepted in time.')
  await isForSale({ seller, buyer, advert }, '8')
})

scene('4 the buyer cancels instead of paying', async ({ seller, buyer, advert }) => {
  await order(buyer, seller, advert, '5')
  await accept({ seller, buyer, advert })
  await buyer.tap('Cancel')
  await buyer.sees(
    /^Don’t cancel if you’ve already paid: you’d lose [\d.]+ MEC and might not get your money back\.$/,
  )
  await buyer.tap('Cancel order')
  await seesBoth({ seller, buyer }, /This order was cancelled/)
  await isForSale({ seller, buyer, advert }, '8')
})

scene('5 the seller asks to cancel, and the buyer agrees', async ({ seller, buyer, advert }) => {
  await order(buyer, seller, advert, '5')
  await accept({ seller, buyer, advert })
  await seller.tap('Ask to cancel')
  await seller.sees(/^The order continues until the buyer agrees/)
  await seller.sees(
    'If the buyer agrees, the order is permanently cancelled and 5 MEC is returned to your ad.',
  )
  await seller.sees(/^If the buyer agrees, this uses one of your free cancellations/)
  await seller.picture('ask-to-cancel')
  await seller.tap('Ask the buyer')
  await seller.sees('You’ve asked the buyer to cancel. The order continues until the buyer agrees.')
  await buyer.sees(/^The seller has asked you to cancel this order. If you’ve paid, don’t agree/)
  await buyer.picture('asked-to-cancel')
  await buyer.tap('Agree to cancel')
  await buyer.sees(
    /^Don’t agree if you’ve already paid: you’d lose [\d.]+ MEC and might not get your money back\.$/,
  )
  await buyer.sees('This won’t affect your credit or use a free cancellation.')
  await buyer.picture('agree-to-cancel')
  await buyer.tap('Agree and cancel order')
  await seesBoth({ seller, buyer }, /This order was cancelled/)
  await buyer.sees('The seller asked to cancel, and you agreed.')
  await isForSale({ seller, buyer, advert }, '8')
})

scene(
  '6 an overdue payment can be made in the grace period, then the order is cancelled',
  async ({ seller, buyer, advert, environment }) => {
    await order(buyer, seller, advert, '5')
    await accept({ seller, buyer, advert })
    await environment.letPass(15.1)
    await buyer.seesHeading(/Your payment is overdue/)
    await expect(buyer.page.getByRole('button', { name: 'I have paid' })).toBeVisible()
    await buyer.sees(/left to pay. After that, the order is cancelled./)
    await buyer.picture('payment-overdue')
    await letGraceEnd(buyer)
    await seesBoth({ seller, buyer }, /This order was cancelled/)
    await buyer.sees('You didn’t pay in time.')
    await isForSale({ seller, buyer, advert }, '8')
  },
)

scene(
  '7 after marking the order as paid, the buyer needs the security password to cancel',
  async ({ seller, buyer, advert }) => {
    await order(buyer, seller, advert, '5')
    await accept({ seller, buyer, advert })
    await buyer.tap('I have paid')
    await buyer.tap('Yes, I’ve paid 2.5 USDT')
    await buyer.seesHeading(/Waiting for the seller to confirm/)
    await buyer.tap('Cancel')
    await buyer.fill('Security password', 'not the right one')
    await buyer.tap('Cancel order')
    await buyer.sees(/^Incorrect security password. Attempts left: \d/)
    await buyer.fill('Security password', buyer.securityPassword)
    await buyer.tap('Cancel order')
    await seesBoth({ seller, buyer }, /This order was cancelled/)
    await isForSale({ seller, buyer, advert }, '8')
  },
)

scene(
  '8 an overdue confirmation cancels nothing, and the seller can still confirm',
  async ({ seller, buyer, advert, environment }) => {
    await order(buyer, seller, advert, '5')
    await accept({ seller, buyer, advert })
    await buyer.tap('I have paid')
    await buyer.tap('Yes, I’ve paid 2.5 USDT')
    await seller.seesHeading(/Check your account and confirm within/)
    await environment.letPass(24 * 60)
    await buyer.seesHeading(/The seller’s confirmation is overdue/)
    await buyer.sees(
      /^The seller hasn’t confirmed in time.*this order won’t be cancelled automatically, and the seller can’t cancel it/,
    )
    await buyer.picture('confirmation-overdue')
    await seller.seesHeading(/Your confirmation is overdue/)
    await seller.sees(
      /^You haven’t confirmed in time.*this order won’t be cancelled automatically, and you can’t cancel it/,
    )
    for (const one of [seller, buyer]) {
      await one.sees('5 MEC is locked in escrow on-chain.')
      await expect(one.page.getByText('After that, the order is cancelled')).toHaveCount(0)
    }
    await expect(buyer.page.getByRole('button', { name: /appeal/i })).toHaveCount(0)
    await release(seller, '5 MEC')
    await buyer.seesHeading(/Completed. You’ve received the coins./)
  },
)

scene('9 the buyer cancels an automatic order before paying', async ({ seller, buyer }) => {
  const advert = await sell(seller, { ...TERMS, kind: 'Automatic release' })
  await order(buyer, seller, advert, '4')
  await buyer.seesHeading(/Send the payment within/)
  await buyer.tap('Cancel')
  await buyer.sees(/^This uses one of your free cancellations/)
  await buyer.tap('Cancel order')
  await seesBoth({ seller, buyer }, /This order was cancelled/)
  await buyer.sees('4 MEC was returned to the seller. Nothing was released.')
  await expect(buyer.page.getByRole('link', { name: 'Use or withdraw' })).toHaveCount(0)
  await isForSale({ seller, buyer, advert }, '8')
})

scene(
  '10 an automatic payment that arrived in time is not overdue, however long confirmation takes',
  async ({ seller, buyer, environment }) => {
    await give(buyer, 'USDT')
    const advert = await sell(seller, { ...TERMS, kind: 'Automatic release' })
    await order(buyer, seller, advert, '4')
    const to = await custodyAddress(buyer)
    await environment.holdChain(true)
    await pay(buyer, to, 'USDT', '2')
    await buyer.seesHeading('Your payment has arrived and is being confirmed on-chain.')
    await seller.seesHeading('The buyer’s payment has arrived and is being confirmed on-chain.')
    await environment.letPass(30)
    for (const one of [buyer, seller]) {
      await one.page.reload()
      await one.seesHeading(/payment has arrived and is being confirmed on-chain./)
      await expect(one.page.getByText(/overdue|time’s up|is cancelled/)).toHaveCount(0)
    }
    await buyer.picture('automatic-arrived')
    await environment.mine(2)
    await environment.holdChain(false)
    await seesCompleted(buyer, /Completed. You’ve received the coins./)
    await buyer.sees('2 USDT was sent to the seller’s address.')
    await seller.sees('2 USDT has arrived at your receiving address.')
  },
)

scene('11 a stale tab is refused, then shows the new state', async ({ seller, buyer, advert }) => {
  const id = await order(buyer, seller, advert, '5')
  await accept({ seller, buyer, advert })
  const other = await buyer.again()
  // The other tab does not poll, so it shows the old state until the user taps it.
  let awake = false
  const before = await buyer.api.get<{ state: string }>(`/c2c/deal/order/${id}`)
  await other.page.route(`**/api/c2c/deal/order/${id}`, async (route) => {
    if (awake) return route.fallback()
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), data: before } })
  })
  await other.page.route(`**/api/c2c/deal/order/pay/${id}`, async (route) => {
    awake = true
    await route.fallback()
  })
  await other.open(`/orderDetail?id=${id}`)
  await other.seesHeading(/Pay the seller within/)
  await buyer.tap('Cancel')
  await buyer.tap('Cancel order')
  await buyer.seesHeading(/This order was cancelled/)

  await other.tap('I have paid')
  await other.tap('Yes, I’ve paid 2.5 USDT')
  await other.sees('This has changed since you opened it. Review it and try again.')
  await other.seesHeading(/This order was cancelled/)
  await expect(other.page.getByRole('button', { name: 'I have paid' })).toHaveCount(0)
  expect((await buyer.api.get<{ state: string }>(`/c2c/deal/order/${id}`)).state).toBe('CANCELLED')
  await isForSale({ seller, buyer, advert }, '8')
})
