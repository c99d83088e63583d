import { expect, test } from '../environment/stage.ts'
import { Officer } from '../people/officer.ts'
import { arrive, order, pay, sell } from '../people/quick.ts'
import { acceptOrder, release, seesCompleted } from '../people/trading.ts'

test('a reversed deposit freezes its order, and restoring it resumes the order', async ({
  bring,
  browser,
  chain,
  environment,
}) => {
  const [seller, buyer] = [await bring(), await bring()]
  await arrive(seller)
  await arrive(buyer)
  const advert = await sell(seller, { base: 'MEC', quote: 'USDT', price: '0.5', quantity: '8' })
  await order(buyer, seller, advert, '5')
  await acceptOrder(seller)
  await buyer.seesHeading(/Pay the seller within/)
  const { records } = await seller.api.get<{ records: { hash: string; to: string }[] }>(
    '/balance/detail?page=1&size=20&type=DEPOSIT',
  )
  const [deposit] = records
  if (deposit === undefined) throw new Error('no record of the deposit')
  await chain.lose(deposit.hash)
  await buyer.seesHeading('Order frozen. All timers are paused.')
  await seller.seesHeading('Order frozen. All timers are paused.')
  await buyer.sees('5 MEC was in escrow, but the deposit was reversed on-chain.')
  await buyer.sees(/Don’t pay until it’s restored/)
  await seller.sees(/send the same amount to your escrow address/)
  for (const one of [buyer, seller]) {
    await one.sees('Once the deposit is restored, the order resumes automatically with its remaining time.')
    await expect(one.page.getByText('is locked in escrow')).toHaveCount(0)
  }
  await buyer.picture('frozen-buyer')
  await seller.picture('frozen-seller')
  // Wait longer than the payment window and its grace period.
  await environment.letPass(60)
  const list = await buyer.again()
  await list.open('/order')
  await list.sees('Frozen: don’t pay')
  const ads = await seller.again()
  await ads.open('/myAdvert')
  await ads.sees(/^Part of this ad’s escrow was reversed on-chain/)

  await pay(seller, deposit.to, 'MEC', '8')
  await buyer.seesHeading(/Pay the seller within/)
  await buyer.sees('5 MEC is locked in escrow on-chain.')
  await seller.seesHeading(/Waiting for the buyer’s payment/)
  await buyer.tap('I have paid')
  await buyer.tap('Yes, I’ve paid 2.5 USDT')
  await release(seller, '5 MEC')
  // Losing a final block stops all payouts until an officer resumes them.
  await buyer.seesHeading('Your coins are on the way')
  const officer = await Officer.arrive(environment, browser)
  await officer.resume()
  await seesCompleted(buyer, /Completed. You’ve received the coins./)
  await seesCompleted(seller, /Completed. The buyer has received the coins./)
})
