import { expect, test } from '../environment/stage.ts'
import { Officer } from '../people/officer.ts'
import { arrive, post, refusal } from '../people/quick.ts'

test('an administrator turns a pair off and on and restricts a user, and the audit log shows it', async ({
  browser,
  bring,
  environment,
}) => {
  const seller = await bring()
  await arrive(seller)
  const sells = () =>
    refusal(post(seller, { base: 'MEC', quote: 'USDT', price: '2', quantity: '3', kind: 'Manual release' }))

  const officer = await Officer.arrive(environment, browser)
  const { page } = officer

  await officer.visit('Pairs')
  await page.getByRole('link', { name: 'MEC/USDT' }).click()
  await page.getByRole('button', { name: 'Turn off MEC/USDT' }).click()
  await expect(page.getByText(/New ads and new orders on MEC\/USDT are refused at once/)).toBeVisible()
  await officer.decide('The price feed is broken.')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Off')
  expect(await sells()).toBe('5028')
  await page.getByRole('button', { name: 'Turn on MEC/USDT' }).click()
  await officer.decide('The price feed is back.')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('On')

  await officer.visit('Users')
  await page.getByLabel('Find a user').fill(seller.email)
  await page.keyboard.press('Enter')
  await expect(page.getByText(seller.email)).toHaveCount(0)
  await page.getByRole('row', { name: seller.nickname }).getByRole('link').click()
  await page.getByRole('button', { name: 'Restrictions' }).click()
  await page.getByLabel('Selling blocked').check()
  await officer.decide('Three buyers reported this account.')
  await expect(page.getByText('Selling blocked')).toBeVisible()
  expect(await sells()).toBe('RISK5004')

  await officer.visit('Audit log')
  for (const [action, text] of [
    ['Changed a pair', 'The price feed is broken.'],
    ['Changed a pair', 'The price feed is back.'],
    ['Changed restrictions', 'Three buyers reported this account.'],
    ['Viewed a user', ''],
    ['Signed in', ''],
    ['Created an officer', 'The first administrator'],
  ] as const) {
    // Earlier stories of the environment have filled the first page.
    await page.getByLabel('Action').selectOption(action)
    await expect(
      page.getByRole('row').filter({ hasText: action }).filter({ hasText: text }).first(),
    ).toBeVisible()
  }

  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Officer sign-in' })).toBeVisible()
  await page.goto(`${environment.product}/console/users`)
  await expect(page.getByRole('heading', { name: 'Officer sign-in' })).toBeVisible()
  await page.context().close()
})
