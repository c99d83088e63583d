import { expect } from '@playwright/test'
import { startOver } from '../people/joining.ts'
import { test } from '../people/parties.ts'
import { sell } from '../people/quick.ts'
import { acceptOrder } from '../people/trading.ts'

test('an advertiser who is not in the app answers an order from the email about it', async ({
  seller,
  buyer,
  environment,
}) => {
  const advert = await sell(seller, { base: 'MEC', quote: 'USDT', price: '0.5', quantity: '8' })

  await test.step('the advertiser closes the app, and a taker orders', async () => {
    await startOver(seller)
    await seller.page.goto('about:blank')
    const { price } = await buyer.api.get<{ price: string }>(`/c2c/advert/${advert}`)
    const { id } = await buyer.api.post<{ id: string }>('/c2c/deal/order', {
      advertId: advert,
      price,
      quantity: '5',
    })
    await buyer.open(`/orderDetail?id=${id}`)
    await buyer.seesHeading(/Waiting for the other party to accept/)
  })

  const phone = await seller.elsewhere()
  await test.step('the link in the email leads to the order, after a login', async () => {
    const link = await seller.mailedLink('New order on your ad')
    await phone.page.goto(link)
    await expect(phone.page).toHaveURL(/\/login\?next=/)
    await phone.fill('Email', phone.email)
    await phone.fill('Password', phone.password)
    await phone.slide(() => phone.tap('Log in'))
    await expect(phone.page).toHaveURL(link)
    await phone.picture('emailed-order')
  })

  await test.step('the advertiser accepts, and the taker is told, by email too', async () => {
    await acceptOrder(phone)
    await phone.seesHeading(/Waiting for the buyer’s payment/)
    await buyer.seesHeading(/Pay the seller within/)
    expect(await buyer.mailedLink('Your order waits for your payment')).toBe(buyer.page.url())
  })

  await test.step('each email was sent once', async () => {
    for (const { person, subject } of [
      { person: seller, subject: 'MEC2C: New order on your ad' },
      { person: buyer, subject: 'MEC2C: Your order waits for your payment' },
    ]) {
      const mails = await environment.mailsTo(person.email)
      expect(mails.filter((mail) => mail.subject === subject)).toHaveLength(1)
    }
  })
  await phone.page.context().close()
})
