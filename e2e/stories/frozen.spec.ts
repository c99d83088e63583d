import { arrive, order, pay, sell } from '../people/quick.ts'
import { release, seesCompleted } from '../people/trading.ts'
import { expect, test } from '../world/stage.ts'

test('a deposit that leaves the chain freezes its order, which goes on when it is back', async ({
  bring,
  chain,
  world,
}) => {
  const [seller, buyer] = [await bring('Leila'), await bring('Mei')]
  await arrive(seller)
  await arrive(buyer)
  const advert = await sell(seller, { base: 'MEC', quote: 'USDT', price: '0.5', quantity: '8' })
  await order(buyer, seller, advert, '5')
  await seller.tap('Accept order')
  await buyer.seesHeading(/Pay the seller within/)
  const { records } = await seller.api.get<{ records: { hash: string; to: string }[] }>(
    '/balance/detail?page=1&size=20&type=DEPOSIT',
  )
  const [deposit] = records
  if (deposit === undefined) throw new Error('no record of the deposit')
  await chain.lose(deposit.hash)
  await buyer.seesHeading('Frozen. All clocks stand still.')
  await seller.seesHeading('Frozen. All clocks stand still.')
  await buyer.sees('5 MEC were in escrow, and the chain took them back.')
  await buyer.sees(/Do not pay before it has returned/)
  await seller.sees(/send as much again to your escrow address/)
  for (const one of [buyer, seller]) {
    await one.sees('When it is there, the order goes on by itself, with all the time it had left.')
    await expect(one.page.getByText('are locked in escrow')).toHaveCount(0)
  }
  await buyer.picture('frozen-buyer')
  await seller.picture('frozen-seller')
  // Longer than the time to pay and its grace.
  await world.letPass(60)
  const list = await buyer.again()
  await list.open('/order')
  await list.sees('Frozen: do not pay')
  const ads = await seller.again()
  await ads.open('/myAdvert')
  await ads.sees(/^The chain took part of its escrow back/)

  await pay(seller, deposit.to, 'MEC', '8')
  await buyer.seesHeading(/Pay the seller within/)
  await buyer.sees('5 MEC are locked in escrow on the chain.')
  await seller.seesHeading(/Waiting for the buyer’s payment/)
  await buyer.tap('I have paid')
  await buyer.tap('Yes, I paid 2.5 USDT')
  await release(seller, '5 MEC')
  // What was final and is not stops all payouts until an officer has looked.
  await buyer.seesHeading('Your coins are on their way')
  for (const coin of ['MEC', 'USDT']) {
    await world.operate('officer', 'resume', coin, '--officer', 'olga', '--reason', 'the deposit is back')
  }
  await seesCompleted(buyer, /Done. The coins are yours./)
  await seesCompleted(seller, /Done. The buyer has the coins./)
})
