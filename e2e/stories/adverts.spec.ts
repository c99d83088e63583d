import { units } from '../environment/chain.ts'
import { expect, test } from '../environment/stage.ts'
import { advertOf, arrive, order, pay, post, sell } from '../people/quick.ts'
import { custodyAddress } from '../people/selling.ts'
import { letGraceEnd, seesCompleted } from '../people/trading.ts'
import { give } from '../people/wallet.ts'

const TERMS = { base: 'MEC', quote: 'USDT', price: '0.5', quantity: '8' } as const

test('an ad goes offline and online again, and revoking it returns the remaining escrow', async ({
  bring,
  chain,
}) => {
  const [seller, buyer] = [await bring(), await bring()]
  await arrive(seller)
  await arrive(buyer)
  const advert = await sell(seller, TERMS)
  await seller.open('/myAdvert')
  await seller.tap('Take offline')
  await expect(seller.page.getByRole('button', { name: 'Go online' })).toBeVisible()
  await buyer.open(`/buySell?id=${advert}&amount=2`)
  await buyer.sees('This ad isn’t available')
  await buyer.sees('The advertiser is offline.')
  await buyer.picture('ad-offline')
  await buyer.follow('Go to trading hall')
  await expect(buyer.page.getByLabel('Pair', { exact: true })).toBeVisible()
  await seller.tap('Go online')
  await expect(seller.page.getByRole('button', { name: 'Take offline' })).toBeVisible()
  await buyer.open(`/buySell?id=${advert}&amount=2`)
  await expect(buyer.page.getByRole('button', { name: 'Buy 4 MEC' })).toBeVisible()

  // An open order continues and delays the return.
  await order(buyer, seller, advert, '4')
  await seller.open('/myAdvert')
  await seller.tap('Revoke')
  await seller.sees(/Once its active orders are finished/)
  await seller.tap('Revoke ad')
  await expect.poll(async () => (await advertOf(seller, advert)).state).toBe('REVOKING')
  const before = await chain.mec(seller.address)
  await buyer.tap('Cancel')
  await buyer.tap('Cancel order')
  await expect.poll(async () => (await advertOf(seller, advert)).state).toBe('CANCELLED')
  // Minus the network fee of the return.
  expect((await chain.mec(seller.address)) - before).toBe(units('7.999', 18))
  await seller.sees(/7.999 MEC arrived at/)
  await seller.picture('ad-revoked')
  await seller.tap('Hide')
  await seller.sees('You have no ads yet')
})

test('an ad with too small a deposit expires, and the user withdraws the coins', async ({
  bring,
  chain,
  environment,
}) => {
  const seller = await bring()
  await arrive(seller)
  const { id, deposit } = await post(seller, TERMS)
  await seller.open(`/creating?id=${id}`)
  await pay(seller, deposit?.address ?? '', 'MEC', '3')
  await seller.seesHeading(/Send 5 MEC within/)
  await expect(seller.page.getByText('Confirmed', { exact: true })).toBeVisible()
  await environment.letPass(30.1)
  await seller.sees('This ad wasn’t created')
  await seller.picture('creation-overdue')

  await seller.open('/fundRecord')
  await seller.sees('3 temporary balance')
  await seller.page.getByRole('button', { name: 'Withdraw', exact: true }).first().click()
  await seller.fill('Security password', seller.securityPassword)
  await seller.picture('withdraw')
  const before = await chain.mec(seller.address)
  await seller.tap('Withdraw 3 MEC')
  await expect.poll(async () => (await chain.mec(seller.address)) - before).toBe(units('2.999', 18))
  await expect(seller.page.getByRole('link', { name: /Withdrawal.*Completed/ })).toBeVisible()
})

test('a deposit of the wrong asset cancels the ad and is returned automatically', async ({
  bring,
  chain,
}) => {
  const seller = await bring()
  await arrive(seller)
  await give(seller, 'USDT')
  const { id, deposit } = await post(seller, TERMS)
  await seller.open(`/creating?id=${id}`)
  await seller.seesHeading(/Send 8 MEC within/)
  const before = await chain.usdt(seller.address)
  await pay(seller, deposit?.address ?? '', 'USDT', '5')
  await seller.sees('This ad wasn’t created')
  await seller.sees(
    'You sent a different asset. It was returned to your bound address, or is in custody for you if it couldn’t be returned.',
  )
  await seller.picture('creation-wrong-coin')
  // Minus the network fee of the return.
  await expect.poll(async () => (await chain.usdt(seller.address)) - before).toBe(-units('0.5', 6))
  await seller.open('/fundRecord')
  await expect(seller.page.getByRole('link', { name: /Ad refund.*−5 USDT.*Completed/ })).toBeVisible()
})

test('the owner cancels an unfunded ad and uses its deposit for the next one', async ({ bring }) => {
  const seller = await bring()
  await arrive(seller)
  const { id, deposit } = await post(seller, TERMS)
  const vault = deposit?.address ?? ''
  await seller.open(`/creating?id=${id}`)
  await pay(seller, vault, 'MEC', '3')
  await seller.seesHeading(/Send 5 MEC within/)
  // If the deposit were confirmed after the next ad was created, it would automatically count for that ad.
  await expect(seller.page.getByText('Confirmed', { exact: true })).toBeVisible()
  await seller.tap('Cancel')
  await seller.tap('Cancel ad')
  await seller.sees('This ad wasn’t created')

  const { id: next } = await post(seller, TERMS)
  await seller.open(`/creating?id=${next}`)
  await seller.seesHeading(/Send 8 MEC within/)
  await seller.sees('You have 3 MEC. Use all of it now, and send only the rest.')
  await seller.picture('creation-from-balance')
  await seller.tap('Use 3 MEC')
  await seller.fill('Security password', seller.securityPassword)
  await seller.tap('Use 3 MEC from my balance')
  await seller.seesHeading(/Send 5 MEC within/)
  await pay(seller, vault, 'MEC', '5')
  await seller.sees('Your ad is ready but not shown yet')
  await seller.tap('Take orders')
  await seller.sees('Your ad is posted')
  await seller.open('/fundRecord')
  await seller.sees('0 temporary balance')
})

test('an automatic order with too small a payment is cancelled, and the buyer withdraws the payment', async ({
  bring,
  chain,
  environment,
}) => {
  const [seller, buyer] = [await bring(), await bring()]
  await arrive(seller)
  await arrive(buyer)
  await give(buyer, 'USDT')
  const advert = await sell(seller, { ...TERMS, kind: 'Automatic release' })
  await order(buyer, seller, advert, '4')
  await buyer.seesHeading(/Send the payment within/)
  const to = await custodyAddress(buyer)
  await pay(buyer, to, 'USDT', '1.5')
  await expect(buyer.page.getByText('Still missing')).toBeVisible()
  await buyer.picture('automatic-shortfall')
  await environment.letPass(15.1)
  await buyer.seesHeading(/Your payment is overdue/)
  await letGraceEnd(buyer)
  await buyer.seesHeading(/This order was cancelled/)
  await expect.poll(async () => (await advertOf(seller, advert)).remaining).toBe('8')

  await buyer.sees(
    'You have 1.5 USDT in your temporary balance: coins you sent that weren’t used in a trade.',
  )
  await buyer.picture('automatic-cancelled')
  await buyer.follow('Use or withdraw')
  await expect(buyer.page).toHaveURL(/\/fundRecord$/)
  await buyer.sees('1.5 temporary balance')
  await buyer.page.getByRole('button', { name: 'Withdraw', exact: true }).last().click()
  await buyer.fill('Security password', buyer.securityPassword)
  const before = await chain.usdt(buyer.address)
  await buyer.tap('Withdraw 1.5 USDT')
  await expect.poll(async () => (await chain.usdt(buyer.address)) - before).toBe(units('1', 6))
})

test('a release reverted by a reorganization is sent again exactly once', async ({
  bring,
  chain,
  environment,
}) => {
  const [seller, buyer] = [await bring(), await bring()]
  await arrive(seller)
  await arrive(buyer)
  await give(buyer, 'USDT')
  const advert = await sell(seller, { ...TERMS, kind: 'Automatic release' })
  await order(buyer, seller, advert, '4')
  await buyer.seesHeading(/Send the payment within/)
  await environment.holdChain(true)
  await pay(buyer, await custodyAddress(buyer), 'USDT', '2')
  const before = await chain.mec(buyer.address)
  const after = before + units('3.996', 18)
  await environment.mine(2)
  await expect.poll(() => chain.mec(buyer.address)).toBe(after)
  await buyer.seesHeading(/Your coins are on the way/)
  // Replace the newest block, which contains the payout. The payment is in an earlier block and is final.
  const head = await chain.call<string>('eth_blockNumber')
  await chain.reorganize(1)
  // The payout can be sent again at once, but only in a later block.
  expect(await chain.mec(buyer.address, head)).toBe(before)
  await expect.poll(() => chain.mec(buyer.address)).toBe(after)
  await environment.holdChain(false)
  await seesCompleted(buyer, /Completed. You’ve received the coins./)
  expect(await chain.mec(buyer.address)).toBe(after)
})
