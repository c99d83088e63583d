import { units } from '../environment/chain.ts'
import { expect, test } from '../environment/stage.ts'
import { certify } from '../people/officer.ts'
import { arrive } from '../people/quick.ts'
import { addBank, copied, create, custodyAddress, deposit, describe, takeOrders } from '../people/selling.ts'
import {
  acceptOrder,
  findBuyer,
  markPaid,
  orderToSell,
  release,
  seesBought,
  seesReceipt,
} from '../people/trading.ts'
import { give, send } from '../people/wallet.ts'

const TERMS = { side: 'BUY', base: 'MEC', quote: 'USDT', smallest: '1' } as const

test('a user buys with a manual ad: the seller deposits, the buyer pays, and the coins arrive', async ({
  bring,
  chain,
}) => {
  const [buyer, seller] = [await bring(), await bring('desktop')]
  await arrive(buyer)
  await arrive(seller)
  await give(buyer, 'USDT')

  await test.step('the ad needs no deposit and is posted at once', async () => {
    await describe(buyer, { ...TERMS, kind: 'Manual release', price: '0.5', quantity: '10' })
    await create(buyer)
    await buyer.sees('Your ad is posted')
    await buyer.picture('buying-posted')
    await takeOrders(buyer)
  })

  const order = await test.step('the seller finds the ad and orders; the buyer accepts', async () => {
    await findBuyer(seller, buyer, 'MEC/USDT', '2')
    await seller.picture('buying-order-form')
    const id = await orderToSell(seller, '4 MEC')
    await seller.seesHeading(/Waiting for the other party to accept/)
    await buyer.open(`/orderDetail?id=${id}`)
    await buyer.seesHeading(/Accept or reject within/)
    await acceptOrder(buyer)
    await buyer.seesHeading(/Waiting for the seller’s deposit/)
    return id
  })

  await test.step('the seller deposits in parts, with an excess', async () => {
    await seller.seesHeading(/Deposit into escrow within/)
    await seller.picture('buying-deposit')
    const to = await custodyAddress(seller)
    await send(seller, { to, coin: 'MEC', amount: '1' })
    await expect(seller.page.getByText('Still missing')).toBeVisible()
    await send(seller, { to, coin: 'MEC', amount: '3.5' })
    await seller.seesHeading(/Waiting for the buyer’s payment/)
  })

  await test.step('the buyer pays on the chain, and the seller releases', async () => {
    await buyer.seesHeading(/Pay the seller within/)
    const to = await copied(buyer, 'Address')
    expect(to.toLowerCase()).toBe(seller.address.toLowerCase())
    const hash = await send(buyer, { to, coin: 'USDT', amount: '2' })
    await buyer.seesHeading('Your payment was detected on-chain. Tap “I have paid”.')
    await markPaid(buyer, '2 USDT', { label: 'Transaction hash (optional)', text: hash })
    await seller.seesHeading(/Check your account and confirm within/)
    const before = await chain.mec(buyer.address)
    await release(seller, '4 MEC')
    await seesBought(buyer, /Completed. You’ve received the coins./, 'manual')
    await seesBought(seller, /Completed. The buyer has received the coins./, 'manual')
    // Minus the fee of 0.1 percent.
    expect((await chain.mec(buyer.address)) - before).toBe(units('3.996', 18))
    await buyer.picture('buying-done')
  })

  await test.step('the excess is the seller’s temporary balance', async () => {
    await seller.open('/fundRecord')
    await seller.sees('0.5 temporary balance')
  })

  await test.step('the seller says how it went, and everybody reads it on the buyer’s page', async () => {
    await seller.open(`/orderDetail?id=${order}`)
    await seller.page.getByRole('radio', { name: 'Positive' }).check()
    await seller.fill('In one line (optional)', 'Paid within a minute.')
    await seller.tap('Leave feedback')
    await seller.sees('Paid within a minute.')
    await seller.page.getByRole('link', { name: buyer.nickname }).first().click()
    await expect(seller.page).toHaveURL(/\/trader\?id=/)
    await seller.sees('Paid within a minute.')
    await seller.picture('trader')
  })

  await test.step('the seller blocks the buyer, whose ads are then hidden', async () => {
    await expect(seller.page.getByRole('list', { name: 'Ads' }).getByRole('listitem')).not.toHaveCount(0)
    await seller.tap('Block')
    await seller.page.getByRole('dialog').getByRole('button', { name: 'Block', exact: true }).click()
    await expect(seller.page.getByRole('button', { name: 'Unblock' })).toBeVisible()
    await seller.sees('No ads that you could order from now.')
    await seller.open('/traders?list=blocked')
    await seller.sees(buyer.nickname)
  })
})

test('a certified user buys with a manual ad and pays from a bank account', async ({
  bring,
  browser,
  chain,
  environment,
}) => {
  const [buyer, seller] = [await bring(), await bring('desktop')]
  await arrive(buyer)
  await arrive(seller)
  await certify(environment, browser, buyer)

  await test.step('the buyer posts the ad with a bank account', async () => {
    const terms = { side: 'BUY', base: 'MEC', quote: 'VND', price: '12000', quantity: '10' } as const
    await describe(buyer, { ...terms, smallest: '12000' })
    await addBank(buyer, '6214830012340001')
    await buyer.page.getByRole('checkbox', { name: /Bank card/ }).check()
    await create(buyer)
    await buyer.sees('Your ad is posted')
    await takeOrders(buyer)
  })

  await test.step('the seller adds the account to be paid at, orders and deposits', async () => {
    await findBuyer(seller, buyer, 'MEC/VND', '60000')
    await addBank(seller, '9704000012340002')
    const id = await orderToSell(seller, '5 MEC')
    await buyer.open(`/orderDetail?id=${id}`)
    await acceptOrder(buyer)
    await seller.seesHeading(/Deposit into escrow within/)
    await send(seller, { to: await custodyAddress(seller), coin: 'MEC', amount: '5' })
  })

  await test.step('the buyer pays the seller’s account and shows a receipt', async () => {
    await buyer.seesHeading(/Pay the seller within/)
    await buyer.sees('5 MEC is locked in escrow on-chain.')
    expect(await copied(buyer, 'Account or card number')).toBe('9704000012340002')
    expect(await copied(buyer, 'Amount')).toBe('60000')
    await buyer.picture('buying-fiat-pay')
    const note = { label: 'Payment reference (optional)', text: 'FT-20261126-3' }
    await markPaid(buyer, '60,000 VND', note, await buyer.page.screenshot())
  })

  await test.step('the seller confirms with the security password, and the coins arrive', async () => {
    await seller.sees('FT-20261126-3')
    await seesReceipt(seller)
    const before = { buyer: await chain.mec(buyer.address), seller: await chain.mec(seller.address) }
    await release(seller, '5 MEC')
    await seesBought(buyer, /Completed. You’ve received the coins./, 'manual')
    await seesBought(seller, /Completed. The buyer has received the coins./, 'manual')
    await buyer.sees('You paid 60,000 VND directly to the seller.')
    // Minus the fee of 0.1 percent.
    expect((await chain.mec(buyer.address)) - before.buyer).toBe(units('4.995', 18))
    expect(await chain.mec(seller.address)).toBe(before.seller)
    await seller.picture('buying-fiat-done')
  })
})

test('a user buys with an automatic ad: both legs settle in one transaction', async ({ bring, chain }) => {
  const [buyer, seller] = [await bring(), await bring()]
  await arrive(buyer)
  await arrive(seller)
  await give(buyer, 'USDT')

  await test.step('the buyer deposits the USDT', async () => {
    await describe(buyer, { ...TERMS, kind: 'Automatic release', price: '0.5', quantity: '6' })
    await create(buyer)
    await buyer.seesHeading(/Send 3 USDT within/)
    await buyer.picture('buying-creating')
    await deposit(buyer, 'USDT', '3')
    await takeOrders(buyer)
  })

  const paid = await chain.usdt(seller.address)
  const bought = await chain.mec(buyer.address)
  await test.step('the seller orders and deposits, and both are paid', async () => {
    await findBuyer(seller, buyer, 'MEC/USDT', '1')
    const id = await orderToSell(seller, '2 MEC')
    await seller.seesHeading(/Deposit into escrow within/)
    await send(seller, { to: await custodyAddress(seller), coin: 'MEC', amount: '2' })
    await seesBought(seller, /Completed. You’ve received the payment./, 'automatic')
    await buyer.open(`/orderDetail?id=${id}`)
    await seesBought(buyer, /Completed. You’ve received the coins./, 'automatic')
    const hash = await copied(seller, 'Transaction')
    expect(await copied(buyer, 'Transaction')).toBe(hash)
    expect(await chain.brought(hash, 'mec', buyer.address)).toBe(units('1.998', 18))
    expect(await chain.brought(hash, 'usdt', seller.address)).toBe(units('1', 6))
    await seller.picture('buying-automatic-done')
  })
  expect((await chain.usdt(seller.address)) - paid).toBe(units('1', 6))
  expect((await chain.mec(buyer.address)) - bought).toBe(units('1.998', 18))
})
