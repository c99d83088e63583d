import { expect, type Page, test } from '@playwright/test'
import { fulfillWith, signIn } from './overrides.ts'

const CONTACT = 'Don’t include phone numbers, links, account names or email addresses.'

test.beforeEach(async ({ context, page }) => {
  await signIn(context)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

test('the name of an advertiser leads to their page with statistics, ads and feedback', async ({ page }) => {
  await page.goto('/')
  const ads = page.getByRole('list', { name: 'Ads' })
  await ads.getByRole('listitem').first().getByRole('link').first().click()
  await expect(page).toHaveURL(/\/trader\?id=/)
  await expect(page.getByText('Member since')).toBeVisible()
  await expect(page.getByText('Online from 8 to 22, Hanoi time.')).toBeVisible()
  await expect(page.getByText('Avg. payment').locator('..')).toContainText('5 min')
  await expect(page.getByText('Traded (30 days)').locator('..')).toContainText('48,210.5 MEC · 1,200 USDT')
  await expect(page.getByText('Positive feedback').locator('..')).toContainText('98%')
  const feedback = page.getByRole('list', { name: 'Feedback' })
  await expect(feedback.getByRole('listitem')).toHaveCount(3)
  await expect(feedback.getByRole('img', { name: 'Negative' })).toHaveCount(1)
  await page.getByRole('list', { name: 'Ads' }).getByRole('link', { name: 'Buy' }).click()
  await expect(page).toHaveURL(/\/buySell\?id=/)
})

test('a favorite is added and removed, and listed', async ({ page }) => {
  await page.goto('/trader?id=u-favorite')
  await page.getByRole('button', { name: 'Add to favorites' }).click()
  await expect(page.getByRole('button', { name: 'Favorite', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await page.goto('/traders')
  await expect(page.getByRole('list', { name: 'Favorites' }).getByRole('listitem')).not.toHaveCount(0)
  await page.goto('/trader?id=u-favorite')
  await page.getByRole('button', { name: 'Favorite', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Add to favorites' })).toBeVisible()
})

test('a block is asked before, says what follows, and can be lifted', async ({ page }) => {
  await page.goto('/trader?id=u-blocked')
  await page.getByRole('button', { name: 'Block' }).click()
  const sheet = page.getByRole('dialog', { name: 'Block MinhTrader?' })
  await expect(sheet).toContainText('Open orders go on')
  await sheet.getByRole('button', { name: 'Don’t block' }).click()
  await expect(sheet).toBeHidden()
  await page.getByRole('button', { name: 'Block' }).click()
  await sheet.getByRole('button', { name: 'Block', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Unblock' })).toBeVisible()
  await page.goto('/traders?list=blocked')
  await page.getByRole('list', { name: 'Blocked' }).getByRole('link', { name: 'MinhTrader' }).first().click()
  await page.getByRole('button', { name: 'Unblock' }).click()
  await expect(page.getByRole('button', { name: 'Add to favorites' })).toBeVisible()
})

test('one’s own page offers neither, and an unknown trader is said', async ({ page }) => {
  await page.goto('/trader?id=u-me')
  await expect(page.getByText('Member since')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Block' })).toHaveCount(0)
  await page.goto('/trader?id=nobody')
  await expect(page.getByText('This trader doesn’t exist')).toBeVisible()
})

test('empty lists say how to fill them', async ({ page }) => {
  for (const path of ['favorite', 'block']) {
    await page.route(`**/api/user/${path}/page*`, (route) =>
      fulfillWith(route, { records: [], total: 0, page: 1, size: 20 }),
    )
  }
  await page.goto('/traders')
  await expect(page.getByText('No favorites yet')).toBeVisible()
  await page.getByRole('link', { name: 'Blocked' }).click()
  await expect(page.getByText('No one is blocked')).toBeVisible()
})

test('after a completed order, a party leaves feedback once', async ({ page }) => {
  await page.goto('/orderDetail?id=o-done')
  await expect(page.getByText(/How was trading with/)).toBeVisible()
  await page.getByRole('button', { name: 'Leave feedback' }).click()
  await expect(page.getByText('Choose one.')).toBeVisible()
  await page.getByRole('radio', { name: 'Positive' }).check()
  const line = page.getByRole('textbox', { name: 'In one line (optional)' })
  await line.fill('mail me@example.org')
  await page.getByRole('button', { name: 'Leave feedback' }).click()
  await expect(line).toHaveAttribute('aria-invalid', 'true')
  await expect(line).toHaveAccessibleDescription(CONTACT)
  await line.fill('Smooth trade.')
  await page.getByRole('button', { name: 'Leave feedback' }).click()
  await expect(page.getByRole('img', { name: 'Positive' })).toBeVisible()
  await expect(page.getByText('Smooth trade.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Leave feedback' })).toHaveCount(0)
})

/** Refuses what users say about themselves, as the server refuses contact information. */
async function refuseContact(page: Page): Promise<void> {
  await page.route('**/api/user/updateInfo', (route) =>
    route.fulfill({
      status: 422,
      json: {
        code: '1030',
        message: 'The text contains words that aren’t allowed.',
        data: { field: 'remark', reason: 'contact information' },
      },
    }),
  )
}

test('one says something about oneself, within the contact rule', async ({ page }) => {
  await page.goto('/updateRemark')
  const about = page.getByRole('textbox', { name: 'About you' })
  await refuseContact(page)
  await about.fill('t.me/maria')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(about).toHaveAttribute('aria-invalid', 'true')
  await expect(about).toHaveAccessibleDescription(CONTACT)
  await page.unroute('**/api/user/updateInfo')
  await about.fill('Usually online in the evening')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page).toHaveURL(/\/personalCenter$/)
})

test('the refusal of contact information is translated', async ({ page, context }) => {
  await context.addCookies([{ name: 'me_lang', value: 'zh_CN', url: 'http://127.0.0.1' }])
  await refuseContact(page)
  await page.goto('/updateRemark')
  const about = page.getByRole('main').getByRole('textbox')
  await about.fill('t.me/maria')
  await page.getByRole('button', { name: '保存' }).click()
  await expect(about).toHaveAccessibleDescription('请勿填写电话号码、链接、账号名称或电子邮箱。')
})
