import { units } from '../environment/chain.ts'
import { expect } from '../environment/stage.ts'
import { fileAppeal } from '../people/appealing.ts'
import { Officer } from '../people/officer.ts'
import { type Parties, seesBoth, test } from '../people/parties.ts'
import { advertOf, order, orderAndDeposit, pay, post } from '../people/quick.ts'
import { takeOrders } from '../people/selling.ts'
import { acceptOrder, letGraceEnd, markPaid } from '../people/trading.ts'
import { give } from '../people/wallet.ts'

interface Scene extends Parties {
  advert: string
}

/** Creates a buyer whose ad for 10 MEC is in the hall, and a seller. */
const scene = test.extend<Pick<Scene, 'advert'>>({
  advert: async ({ buyer }, use) => {
    const terms = { side: 'BUY', base: 'MEC', quote: 'USDT', price: '0.5', quantity: '10' } as const
    const { id } = await post(buyer, terms)
    await takeOrders(buyer)
    await use(id)
  },
})

scene(
  'an order into an ad that buys ends without a trade: rejected, not deposited, and cancelled after the deposit',
  async ({ buyer, seller, advert, chain, environment }) => {
    await test.step('the buyer rejects, and nothing was deposited', async () => {
      await order(seller, buyer, advert, '3')
      await buyer.tap('Reject')
      await buyer.tap('Reject order')
      await buyer.seesHeading(/You rejected this order/)
      await seller.seesHeading(/The buyer rejected this order/)
      await seller.sees('3 MEC was never deposited into escrow for this order.')
      expect((await advertOf(buyer, advert)).remaining).toBe('10')
      await seller.picture('buying-rejected')
    })

    await test.step('the seller deposits nothing, and the order ends', async () => {
      await order(seller, buyer, advert, '2')
      await acceptOrder(buyer)
      await seller.seesHeading(/Deposit into escrow within/)
      await environment.letPass(15.1)
      await seller.seesHeading(/Your deposit is overdue/)
      await buyer.seesHeading(/The seller’s deposit is overdue/)
      await letGraceEnd(seller)
      await seesBoth({ seller, buyer }, /This order was cancelled/)
      await seller.picture('buying-not-deposited')
    })

    await test.step('the buyer cancels after the deposit, and the coins return to the seller', async () => {
      await orderAndDeposit(seller, buyer, advert, '4')
      const before = await chain.mec(seller.address)
      await buyer.tap('Cancel')
      await buyer.tap('Cancel order')
      await seesBoth({ seller, buyer }, /This order was cancelled/)
      expect((await chain.mec(seller.address)) - before).toBe(units('4', 18))
      await seller.picture('buying-returned')
    })
  },
)

scene(
  'an officer decides for the buyer who paid, and for the seller who was not paid',
  async ({ buyer, seller, advert, browser, chain, environment }) => {
    await give(buyer, 'USDT')
    const officer = await Officer.forAppeals(environment, browser)

    const paid =
      await test.step('the buyer pays, the seller doesn’t confirm, and the buyer appeals', async () => {
        const id = await orderAndDeposit(seller, buyer, advert, '4')
        await pay(buyer, seller.address, 'USDT', '2')
        await markPaid(buyer, '2 USDT')
        await environment.letPass(15.1)
        await buyer.seesHeading(/The seller’s confirmation is overdue/)
        await fileAppeal(buyer, 'I’ve paid, but the seller doesn’t confirm')
        return id
      })
    const unpaid =
      await test.step('the buyer lies about another payment, and the seller appeals', async () => {
        const id = await orderAndDeposit(seller, buyer, advert, '3')
        await markPaid(buyer, '1.5 USDT')
        await seller.seesHeading(/Check your account/)
        await fileAppeal(seller, 'The payment hasn’t arrived')
        return id
      })

    await test.step('the officer decides both', async () => {
      await officer.joinCase(/4 MEC/)
      await officer.rule('Buyer wins', 'The payment is on the chain.')
      await seller.open(`/appeal?id=${paid}`)
      await seller.seesHeading('Decided in the other party’s favor')
      await officer.joinCase(/3 MEC/)
      await officer.rule('Seller wins', 'There is no payment on the chain.')
      await seller.open(`/appeal?id=${unpaid}`)
      await seller.seesHeading('Decided in your favor')
      await officer.page.context().close()
    })

    await test.step('the coins of one order go to the buyer, and those of the other return to the seller', async () => {
      const before = { buyer: await chain.mec(buyer.address), seller: await chain.mec(seller.address) }
      await environment.holdChain(true)
      await environment.letPass(24 * 60 + 1)
      await seller.open(`/orderDetail?id=${unpaid}`)
      await seller.seesHeading('Returning the escrowed coins to you')
      await seller.sees(
        '3 MEC is on the way to your bound address. It’s there once the transfer is confirmed on-chain, usually within minutes.',
      )
      await seller.picture('buying-refunding')
      await buyer.open(`/orderDetail?id=${unpaid}`)
      await buyer.seesHeading('Returning the escrowed coins to the seller')
      await buyer.sees('3 MEC is being returned to the seller.')
      await environment.holdChain(false)
      await seesBoth({ seller, buyer }, /This order was cancelled/)
      await seller.sees('An officer decided the appeal.')
      await seller.sees('3 MEC was returned to your bound address.')
      await buyer.open(`/orderDetail?id=${paid}`)
      await buyer.seesHeading(/Completed. You’ve received the coins./)
      await buyer.sees('Released by an officer')
      await buyer.picture('buying-decided')
      // Minus the fee of 0.1 percent. A refund that the buyer has caused costs the seller nothing.
      expect((await chain.mec(buyer.address)) - before.buyer).toBe(units('3.996', 18))
      expect((await chain.mec(seller.address)) - before.seller).toBe(units('3', 18))
    })
  },
)

scene(
  'a deposit and a refund leave the chain: the order freezes and resumes, and the refund is sent again',
  async ({ buyer, seller, advert, browser, chain, environment }) => {
    const id = await orderAndDeposit(seller, buyer, advert, '4')

    await test.step('the deposit leaves the chain, and the buyer is told not to pay', async () => {
      const { records } = await seller.api.get<{ records: { hash: string; to: string }[] }>(
        '/balance/detail?page=1&size=20&type=DEPOSIT',
      )
      const [deposit] = records
      if (deposit === undefined) throw new Error('no record of the deposit')
      await chain.lose(deposit.hash)
      await seesBoth({ seller, buyer }, /Order frozen. All timers are paused./)
      await buyer.sees('4 MEC was in escrow, but the deposit was reversed on-chain.')
      await buyer.sees(/Don’t pay until it’s restored/)
      await seller.sees(/send the same amount to your escrow address/)
      await buyer.picture('buying-frozen')
      // Wait longer than the payment window and its grace period.
      await environment.letPass(60)
      await pay(seller, deposit.to, 'MEC', '4')
      await buyer.seesHeading(/Pay the seller within/)
      await seller.seesHeading(/Waiting for the buyer’s payment/)
      await buyer.sees('4 MEC is locked in escrow on-chain.')
    })

    const before = await chain.mec(seller.address)
    const after = before + units('4', 18)
    const officer = await Officer.arrive(environment, browser)
    await test.step('the buyer cancels, and the refund waits for an officer', async () => {
      await buyer.tap('Cancel')
      await buyer.tap('Cancel order')
      await seller.seesHeading('Returning the escrowed coins to you')
      await seller.sees(/^4 MEC is on the way to your bound address\./)
      expect(await chain.mec(seller.address)).toBe(before)
      // Losing a final block stops all payouts until an officer resumes them.
      await officer.resume()
      await seesBoth({ seller, buyer }, /This order was cancelled/)
      expect(await chain.mec(seller.address)).toBe(after)
    })

    await test.step('the refund leaves the chain and is sent again, once', async () => {
      const { payouts } = await seller.api.get<{ payouts: { hash: string }[] }>(`/c2c/deal/order/${id}`)
      const [refund] = payouts
      if (refund === undefined) throw new Error('the order has no refund')
      await environment.holdChain(true)
      const head = await chain.call<string>('eth_blockNumber')
      await chain.lose(refund.hash)
      // The refund can be sent again at once, but only in a later block.
      expect(await chain.mec(seller.address, head)).toBe(before)
      await seller.open(`/orderDetail?id=${id}`)
      await seller.seesHeading('Returning the escrowed coins to you')
      await environment.holdChain(false)
      await seesBoth({ seller, buyer }, /This order was cancelled/)
      expect(await chain.mec(seller.address)).toBe(after)
      // Other stories need payouts.
      await officer.resume()
      expect(await chain.mec(seller.address)).toBe(after)
      await officer.page.context().close()
    })
  },
)
