import { units } from '../environment/chain.ts'
import { expect, test } from '../environment/stage.ts'
import { addPicture, fileAppeal } from '../people/appealing.ts'
import { Officer } from '../people/officer.ts'
import type { Person } from '../people/person.ts'
import { advertOf, arrive, order, refusal, sell } from '../people/quick.ts'
import { acceptOrder, markPaid } from '../people/trading.ts'

async function say(person: Person, text: string): Promise<void> {
  await person.fill('Message', text)
  await person.tap('Send')
}

test('a buyer lies, the seller appeals with evidence, and an officer returns the coins', async ({
  bring,
  browser,
  chain,
  environment,
}) => {
  const [seller, buyer] = [await bring(), await bring()]
  await arrive(seller)
  await arrive(buyer)
  const advert = await sell(seller, { base: 'MEC', quote: 'USDT', price: '0.5', quantity: '8' })
  const id = await order(buyer, seller, advert, '5')
  await acceptOrder(seller)
  await buyer.seesHeading(/Pay the seller within/)
  const lie = { label: 'Transaction hash (optional)', text: 'ab'.repeat(32) }
  await markPaid(buyer, '2.5 USDT', lie, await buyer.page.screenshot())

  await seller.seesHeading(/Check your account/)
  await fileAppeal(seller, 'The payment hasn’t arrived')
  await buyer.seesHeading(/Under appeal/)
  // Nothing moves while the appeal is open, not even by a stale tab.
  const { version } = await seller.api.get<{ version: number }>(`/c2c/deal/order/${id}`)
  const securityCode = await seller.api.seal(seller.securityPassword)
  expect(await refusal(seller.api.post(`/c2c/deal/order/confirm/${id}`, { version, securityCode }))).not.toBe(
    'not refused',
  )
  await buyer.follow('View the appeal')
  await buyer.tap('Add evidence')
  await addPicture(buyer.page, 'transfer.png')
  const sheet = buyer.page.getByRole('dialog')
  await sheet.getByRole('button', { name: 'Add evidence' }).click()
  await expect(sheet).toHaveCount(0)
  await buyer.open(`/chat?id=${id}`)
  await say(buyer, 'I have paid, please look again.')

  const officer = await Officer.forAppeals(environment, browser)
  const { page } = officer
  await officer.joinCase(/5 MEC/)
  const sides = page.getByRole('region', { name: 'Statements and parties' })
  await expect(sides.getByText('The payment hasn’t arrived')).toBeVisible()
  const pictures = sides.locator('img')
  await expect
    .poll(() =>
      pictures.evaluateAll((all) => all.filter((one) => (one as HTMLImageElement).naturalWidth > 0).length),
    )
    .toBeGreaterThanOrEqual(2)
  await expect(page.getByRole('log').getByText('I have paid, please look again.')).toBeVisible()
  await page.getByLabel('Official message to both parties').fill('Please send a statement of your account.')
  await page.keyboard.press('Control+Enter')
  await expect(buyer.page.getByText('Please send a statement of your account.')).toBeVisible()
  await officer.picture('console-case')

  await officer.rule('Seller wins', 'The transaction doesn’t exist.')
  await seller.seesHeading('Decided in your favor')
  await seller.sees('The transaction doesn’t exist.')
  expect((await advertOf(seller, advert)).remaining).toBe('3')

  await environment.letPass(24 * 60 + 1)
  await seller.seesHeading('You won this appeal')
  // The order's coins are in the ad's escrow again. The seller takes them home.
  await expect.poll(async () => (await advertOf(seller, advert)).remaining).toBe('8')
  await buyer.open(`/orderDetail?id=${id}`)
  await buyer.seesHeading(/cancelled/i)
  const before = { seller: await chain.mec(seller.address), buyer: await chain.mec(buyer.address) }
  await seller.open('/myAdvert')
  await seller.tap('Revoke')
  await seller.tap('Revoke ad')
  await expect.poll(async () => (await advertOf(seller, advert)).state).toBe('CANCELLED')
  // Minus the network fee of the return.
  expect((await chain.mec(seller.address)) - before.seller).toBe(units('7.999', 18))
  expect(await chain.mec(buyer.address)).toBe(before.buyer)

  const admin = await Officer.arrive(environment, browser)
  await admin.visit('Audit log')
  await expect(admin.page.getByRole('cell', { name: 'Olga' }).first()).toBeVisible()
  for (const one of [admin, officer]) await one.page.context().close()
})
