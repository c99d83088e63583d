import { expect, test } from '../environment/stage.ts'
import { approve, asks, scans, startOver } from '../people/joining.ts'
import type { Person } from '../people/person.ts'
import { arrive } from '../people/quick.ts'

const openPanel = (person: Person) => async () => {
  await person.open('/login')
  await person.tap('Log in with your pass')
}

const again = (person: Person) => () => person.tap('Try again')

async function isLoggedIn(person: Person): Promise<void> {
  await expect(person.page).toHaveURL(`${person.environment.product}/`)
}

test('a user declines, starts again and logs in, by redirect and by scan', async ({ bring, environment }) => {
  const minjun = await bring()
  await arrive(minjun)
  const { page } = minjun

  await test.step('declining by redirect shows a page that survives a reload, and a new request logs in', async () => {
    await minjun.open('/')
    await startOver(minjun)
    await asks(minjun, openPanel(minjun))
    await minjun.follow('Open the pass app on this device')
    await page.getByLabel('You are').selectOption(minjun.meId)
    await minjun.picture('pass-redirect-request')
    await minjun.tap('Decline')
    await minjun.sees('You declined the request')
    await minjun.picture('pass-declined')
    // The page has removed code and outcome from the address.
    await expect(page).toHaveURL(`${environment.product}/login`)
    await page.reload()
    await expect(page.getByText('You declined the request')).toBeHidden()
    await approve(minjun, 'redirect', () => minjun.tap('Log in with your pass'))
    await isLoggedIn(minjun)
  })

  await test.step('declining after a scan shows a notice, and a new request logs in', async () => {
    await startOver(minjun)
    const request = await asks(minjun, openPanel(minjun))
    const phone = await scans(minjun, request)
    await phone.getByRole('button', { name: 'Decline' }).click()
    await expect(phone.getByText('Declined.')).toBeVisible()
    await minjun.sees('You declined the request')
    // A declined request stays declined.
    await phone.reload()
    await expect(phone.getByText('This request cannot be answered')).toBeVisible()
    await minjun.picture('pass-gone', phone)
    await phone.close()
    await approve(minjun, 'scan', again(minjun))
    await isLoggedIn(minjun)
  })

  await test.step('a wrong number ends the request', async () => {
    await startOver(minjun)
    const request = await asks(minjun, openPanel(minjun))
    const phone = await scans(minjun, request)
    const numbers = phone.getByRole('radio')
    await expect(numbers).toHaveCount(3)
    const shown = await numbers.evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))
    const wrong = shown.find((number) => number !== `${request.number}`) ?? ''
    await phone.getByRole('radio', { name: wrong, exact: true }).check()
    await phone.getByRole('button', { name: 'Approve' }).click()
    await expect(phone.getByText(/the product refused/)).toBeVisible()
    await phone.close()
    await minjun.sees('We couldn’t verify the response from the pass')
    await minjun.picture('pass-wrong-number')
    await approve(minjun, 'scan', again(minjun))
    await isLoggedIn(minjun)
  })

  await test.step('a late approval shows an expiry page, and an expired QR code can be refreshed', async () => {
    await startOver(minjun)
    await asks(minjun, openPanel(minjun))
    await minjun.follow('Open the pass app on this device')
    await page.getByLabel('You are').selectOption(minjun.meId)
    await expect(page.getByRole('button', { name: 'Approve' })).toBeEnabled()
    await environment.letPass(4)
    await minjun.tap('Approve')
    await minjun.sees('This request has expired')
    await minjun.picture('pass-expired')
    await asks(minjun, again(minjun))
    await environment.letPass(4)
    await minjun.sees('The QR code has expired.')
    await minjun.picture('pass-qr-expired')
    await approve(minjun, 'redirect', () => minjun.tap('Refresh'))
    await isLoggedIn(minjun)
  })
})

test('a user who follows someone else’s pass link creates no session and sees a warning', async ({
  bring,
}) => {
  // The attacker has a pass and a browser, but no account.
  const [attacker, victim] = [await bring('desktop'), await bring()]
  await arrive(victim)
  await victim.open('/')
  await startOver(victim)

  await test.step('approving someone else’s request creates no session on either side', async () => {
    await asks(attacker, openPanel(attacker))
    const link = await attacker.page
      .getByRole('link', { name: 'Open the pass app on this device' })
      .getAttribute('href')
    await victim.page.goto(link ?? '')
    await victim.page.getByLabel('You are').selectOption(victim.meId)
    await victim.tap('Approve')
    await victim.sees('This request was started in another browser')
    await victim.picture('pass-elsewhere')
    // Wait until the attacker's page has polled again.
    await attacker.page.waitForResponse((response) => response.url().includes('/api/scan/result/'))
    await expect(attacker.page.getByLabel('Number to select in the pass app')).toBeVisible()
    for (const { page } of [attacker, victim]) {
      expect((await page.context().cookies()).filter(({ name }) => name === 'MEC2C-token')).toEqual([])
    }
  })

  await test.step('opening someone else’s return URL does not log in to their account', async () => {
    await startOver(attacker)
    await asks(attacker, openPanel(attacker))
    await attacker.follow('Open the pass app on this device')
    await attacker.page.getByLabel('You are').selectOption(attacker.meId)
    // The attacker keeps the address to which the pass returns them, and sends it to the victim.
    let address = ''
    await attacker.page.route('**/api/scan/callBack?*', async (route) => {
      const answer = await route.fetch({ maxRedirects: 0 })
      address = new URL(answer.headers()['location'] ?? '', route.request().url()).href
      await route.abort()
    })
    await attacker.tap('Approve')
    await expect.poll(() => address).toContain('code=')
    await victim.page.goto(address)
    await victim.sees('This request was started in another browser')
    await asks(victim, () => victim.tap('Start here'))
    expect((await victim.page.context().cookies()).filter(({ name }) => name === 'MEC2C-token')).toEqual([])
  })
})
