import { units } from '../environment/chain.ts'
import { expect, test } from '../environment/stage.ts'
import { comeBack, join } from '../people/joining.ts'
import { certify } from '../people/officer.ts'
import type { Person } from '../people/person.ts'
import { addBank, copied, create, custodyAddress, deposit, describe, takeOrders } from '../people/selling.ts'
import { acceptOrder, find, markPaid, order, release, seesCompleted, seesReceipt } from '../people/trading.ts'
import { give, send } from '../people/wallet.ts'

test('two users trade, from registration to coins on-chain', async ({
  bring,
  browser,
  chain,
  environment,
}) => {
  test.setTimeout(480_000)
  const [amina, bruno] = [await bring(), await bring('desktop')]

  await test.step('both register, one by scan and one by redirect, and one logs in again with the password', async () => {
    await join(amina, 'scan')
    await comeBack(amina)
    await join(bruno, 'redirect')
  })

  await test.step('an officer certifies the seller', async () => {
    await amina.open('/publish')
    await amina.page.getByRole('radio', { name: 'MEC', exact: true }).check()
    await amina.page
      .getByRole('group', { name: 'What do you want to be paid in?' })
      .getByRole('radio', { name: /^VND/ })
      .check()
    await amina.sees(/certified/i)
    await certify(environment, browser, amina)
  })

  await test.step('the seller posts a manual MEC/VND ad and deposits in parts, with an excess', async () => {
    await describe(amina, { base: 'MEC', quote: 'VND', price: '12000', quantity: '10', smallest: '12000' })
    await addBank(amina, '6214830012345678')
    await amina.page.getByRole('checkbox', { name: /Bank card/ }).check()
    await amina.picture('publish-limits')
    await create(amina)
    await amina.picture('creating')
    const to = await custodyAddress(amina)

    await environment.holdChain(true)
    await send(amina, { to, coin: 'MEC', amount: '4' })
    await amina.sees('1 of 3 confirmations')
    await environment.mine(1)
    await amina.sees('2 of 3 confirmations')
    await amina.picture('creating-confirming')
    await environment.mine(1)
    await expect(amina.page.getByText('Confirmed', { exact: true })).toBeVisible()
    await environment.holdChain(false)
    await amina.tap('I have sent it')
    await amina.seesHeading(/Send 6 MEC within/)
    await expect(amina.page.getByText('Still missing')).toBeVisible()
    await amina.picture('creating-shortfall')

    await deposit(amina, 'MEC', '8')
    await amina.open('/personalCenter')
    await amina.sees('2 temporary balance · 10 in ads')
    await takeOrders(amina)
    await amina.picture('my-ads')
  })

  await test.step('the buyer finds the ad and confirms a changed price', async () => {
    await bruno.page.route(/\/api\/c2c\/advert\/[0-9a-f-]{36}$/, async (route) => {
      const answer = await route.fetch()
      const body = (await answer.json()) as { data: { price: string } }
      body.data.price = '11900'
      await route.fulfill({ response: answer, json: body })
    })
    await find(bruno, amina, 'MEC/VND', '60000')
    await bruno.sees(/add one of these VND payment methods: Bank card/)
    await bruno.picture('buy-sell')
    await addBank(bruno, '9704000012345678')
    await bruno.tap('Buy 5.04201681 MEC')
    await bruno.sees(/The price changed from 11,900 to 12,000 VND. No order was placed./)
    await bruno.picture('price-changed')
    // Let a poll in progress finish first.
    await bruno.page.unrouteAll({ behavior: 'wait' })
    await bruno.tap('Continue at 12,000 VND')
  })

  await test.step('the buyer places an order; the seller is notified and accepts', async () => {
    await order(bruno, '5 MEC')
    await bruno.seesHeading(/Waiting for the other party to accept/)
    await amina.sees('You have a new order')
    await amina.picture('new-order')
    await amina.tap('Open')
    await acceptOrder(amina)
  })

  await test.step('the buyer sees the payment details and marks the order as paid', async () => {
    await bruno.seesHeading(/Pay the seller within/)
    expect(await copied(bruno, 'Account or card number')).toBe('6214830012345678')
    expect(await copied(bruno, 'Amount')).toBe('60000')
    await bruno.picture('order-pay')
    // Any picture will do: a picture of the page.
    const receipt = await bruno.page.screenshot()
    const note = { label: 'Payment reference (optional)', text: 'FT-20261121-7' }
    await markPaid(bruno, '60,000 VND', note, receipt)
    await bruno.picture('order-paid')
  })

  await test.step('the seller confirms with the security password, and the coins arrive on-chain', async () => {
    const before = await chain.mec(bruno.address)
    await amina.sees('FT-20261121-7')
    await seesReceipt(amina)
    await amina.picture('order-confirm')
    await release(amina, '5 MEC')
    await seesCompleted(bruno, /Completed. You’ve received the coins./)
    await seesCompleted(amina, /Completed. The buyer has received the coins./)
    expect((await chain.mec(bruno.address)) - before).toBe(units('4.995', 18))
    await bruno.picture('order-done')
    await seesRecord(bruno, /Received from the seller[^+−]*4\.995 MEC/)
    await bruno.picture('fund-records')
    await seesRecord(amina, /Released to the buyer.*−5 MEC/)
    await seesRecord(amina, /Deposit.*\+8 MEC/)
  })

  await test.step('a manual MEC/USDT order is paid from wallet to wallet', async () => {
    await give(bruno, 'USDT')
    await describe(amina, { base: 'MEC', quote: 'USDT', kind: 'Manual release', price: '0.5', quantity: '4' })
    await create(amina)
    await deposit(amina, 'MEC', '4')

    await find(bruno, amina, 'MEC/USDT', '2')
    await order(bruno, '4 MEC')
    await amina.tap('Open')
    await acceptOrder(amina)
    await bruno.seesHeading(/Pay the seller within/)
    const to = await copied(bruno, 'Address')
    expect(to.toLowerCase()).toBe(amina.address.toLowerCase())
    await environment.holdChain(true)
    const hash = await send(bruno, { to, coin: 'USDT', amount: '2' })
    await bruno.seesHeading('Your payment was detected on-chain. Tap “I have paid”.')
    await amina.seesHeading(
      'The buyer’s payment was detected on-chain. The buyer hasn’t marked the order as paid yet.',
    )
    await seesPayment([amina, bruno], hash, '1 of 3 confirmations')
    await bruno.picture('order-payment-seen')
    await environment.mine(1)
    await seesPayment([amina, bruno], hash, '2 of 3 confirmations')
    await markPaid(bruno, '2 USDT', { label: 'Transaction hash (optional)', text: hash })
    await environment.mine(1)
    await seesPayment([amina, bruno], hash, 'Confirmed')
    await environment.holdChain(false)
    await amina.seesHeading(/Check your account and confirm within/)
    await amina.picture('order-payment-confirmed')
    const before = await chain.mec(bruno.address)
    await release(amina, '4 MEC')
    await seesCompleted(bruno, /Completed. You’ve received the coins./)
    await seesCompleted(amina, /Completed. The buyer has received the coins./)
    expect((await chain.mec(bruno.address)) - before).toBe(units('3.996', 18))
  })

  await test.step('an automatic order releases on payment, with both legs in one transaction', async () => {
    await describe(amina, {
      base: 'MEC',
      quote: 'USDT',
      kind: 'Automatic release',
      price: '0.5',
      quantity: '3',
      smallest: '1',
    })
    await create(amina)
    await deposit(amina, 'MEC', '3')

    await find(bruno, amina, 'MEC/USDT', '1')
    const id = await order(bruno, '2 MEC')
    await bruno.seesHeading(/Send the payment within/)
    await bruno.picture('order-automatic')
    await send(bruno, { to: await custodyAddress(bruno), coin: 'USDT', amount: '1' })
    await seesCompleted(bruno, /Completed. You’ve received the coins./)
    await amina.open(`/orderDetail?id=${id}`)
    await seesCompleted(amina, /Completed. You’ve received the payment./)
    const hash = await copied(amina, 'Transaction')
    expect(await copied(bruno, 'Transaction')).toBe(hash)
    expect(await chain.brought(hash, 'mec', bruno.address)).toBe(units('1.998', 18))
    expect(await chain.brought(hash, 'usdt', amina.address)).toBe(units('1', 6))
    await bruno.picture('order-automatic-done')
  })
})

async function seesRecord(person: Person, words: RegExp): Promise<void> {
  await person.open('/fundRecord')
  await expect(person.page.getByRole('link', { name: words })).toBeVisible()
}

/** Checks that both parties see the payment on-chain, and that the seller still has to confirm it. */
async function seesPayment(people: readonly Person[], hash: string, status: string): Promise<void> {
  for (const person of people) {
    const card = person.page.locator('section', { hasText: 'Payment detected on-chain' })
    await expect(card.getByText('2 USDT', { exact: true })).toBeVisible()
    await expect(card.getByText(status, { exact: true })).toBeVisible()
    await expect(
      card.getByText(
        'This payment doesn’t release anything automatically. The seller still has to confirm it.',
      ),
    ).toBeVisible()
    expect(await copied(person, 'Payment transaction')).toBe(hash)
  }
}
