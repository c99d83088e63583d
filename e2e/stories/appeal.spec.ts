import type { Page } from '@playwright/test'
import { units } from '../environment/chain.ts'
import { expect, test } from '../environment/stage.ts'
import { Officer } from '../people/officer.ts'
import type { Person } from '../people/person.ts'
import { advertOf, arrive, order, refusal, sell } from '../people/quick.ts'
import { acceptOrder, markPaid } from '../people/trading.ts'

/** Adds a picture to the first field for files on the page. */
async function addPicture(page: Page, name: string): Promise<void> {
  const buffer = await page.screenshot()
  await page
    .getByLabel('Add a picture', { exact: true })
    .first()
    .setInputFiles({ name, mimeType: 'image/png', buffer })
  await expect(page.getByText('1 of 1 uploaded').first()).toBeAttached()
}

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
  await seller.follow('Appeal')
  await seller.page.getByRole('radio', { name: 'The payment hasn’t arrived' }).check()
  await addPicture(seller.page, 'statement.png')
  await seller.picture('appeal-form')
  await seller.tap('Submit appeal')
  await seller.seesHeading('Waiting for an officer’s decision')
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

  const admin = await Officer.arrive(environment, browser)
  const second = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US' })
  const approver = new Officer(environment, await second.newPage(), 'sue@example.org')
  await approver.join('Sue')
  await approver.signIn()
  await admin.create('Olga', 'olga@example.org', 'Appeal officer')
  await approver.approve('olga@example.org')
  await second.close()
  const desk = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US' })
  const officer = new Officer(environment, await desk.newPage(), 'olga@example.org')
  await officer.setUp(await environment.setupLink('olga@example.org'))
  await officer.signIn()
  const { page } = officer
  await officer.visit('Appeals')
  await page.getByRole('row', { name: /5 MEC/ }).click()
  await expect(page.getByText('You’re not on this case')).toBeVisible()
  await page.getByRole('button', { name: /Join the case/ }).click()
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
  if (process.env['PICTURES'] !== undefined) {
    await page.screenshot({ path: `${process.env['PICTURES']}/console-case.png` })
  }

  await page.getByRole('button', { name: /Decide…/ }).click()
  await page.getByRole('dialog').getByLabel('Seller wins').check()
  await officer.decide('The transaction doesn’t exist.', 'Note')
  await expect(page.getByText(/The verdict is executed in/)).toBeVisible()
  await seller.seesHeading('Decided in your favor')
  await seller.sees('The transaction doesn’t exist.')
  expect((await advertOf(seller, advert)).remaining).toBe('3')

  await admin.visit('Audit log')
  await expect(admin.page.getByRole('cell', { name: 'Olga' }).first()).toBeVisible()

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

  await admin.page.context().close()
  await desk.close()
})
