import { expect, type Page } from '@playwright/test'
import type { Person } from './person.ts'

/** How the pass is opened: its app scans the QR code on another device, or opens on this device. */
export type Way = 'scan' | 'redirect'

/** The request as shown next to the QR code. */
interface Request {
  qrCodeUrl: string
  number: number
}

/** Opens the pass panel and returns its new request. */
export async function asks(person: Person, doing: () => Promise<void>): Promise<Request> {
  const made = person.page.waitForResponse((response) =>
    /\/api\/scan\/(?:genQrCodeUrl\/|resetByEmail|proof)/.test(response.url()),
  )
  await doing()
  const { data } = (await (await made).json()) as { data: Request }
  await expect(person.page.getByRole('img', { name: 'QR code for the pass app' })).toBeVisible()
  return data
}

/** Picks the number that the page shows in the pass. */
async function pickNumber(person: Person, phone: Page): Promise<void> {
  const number = await person.page.getByLabel('Number to select in the pass app').innerText()
  await phone.getByRole('radio', { name: number, exact: true }).check()
}

/** Opens the scanned request in the pass on another device. */
export async function scans(person: Person, { qrCodeUrl }: Request): Promise<Page> {
  const phone = await person.page.context().newPage()
  await phone.goto(qrCodeUrl)
  await phone.getByLabel('You are').selectOption(person.meId)
  return phone
}

/** Approves the product's request in the pass as this user. */
export async function approve(person: Person, way: Way, doing: () => Promise<void>): Promise<void> {
  const { page } = person
  const request = await asks(person, doing)
  await person.picture(`pass-${way}`)
  if (way === 'redirect') {
    await page.getByRole('link', { name: 'Open the pass app on this device' }).click()
    await page.getByLabel('You are').selectOption(person.meId)
    await page.getByRole('button', { name: 'Approve' }).click()
    return
  }
  const phone = await scans(person, request)
  await expect(phone.getByRole('button', { name: 'Approve' })).toBeDisabled()
  await pickNumber(person, phone)
  await person.picture('pass-number', phone)
  await phone.getByRole('button', { name: 'Approve' }).click()
  await expect(phone.getByText('Approved. Go back to the site.')).toBeVisible()
  await phone.close()
}

/** Registers a user through every screen, until they may trade. */
export async function join(person: Person, way: Way): Promise<void> {
  const { page } = person
  await approve(person, way, () => person.open('/register'))

  await person.fill('Email', person.email)
  await person.slide(() => person.tap('Send code'))
  await person.fill('Email verification code', await person.mailedCode())
  await person.fill('Password', person.password)
  await person.fill('Confirm password', person.password)
  await person.picture('register-account')
  await person.tap('Continue')

  await page.getByLabel('Chain', { exact: true }).selectOption('ERC20')
  await person.fill('USDT address', person.address)
  await page.getByRole('checkbox').check()
  await person.picture('register-address')
  await person.tap('Create account')
  await expect(page).toHaveURL(/\/personalCenter/)

  await page.getByRole('button', { name: /^Nickname/ }).click()
  await person.fill('Public name', person.nickname)
  await person.tap('Save')
  await expect(page.getByRole('button', { name: /^Nickname/ })).toContainText(person.nickname)

  // A desktop lists the screens of the personal center, too, by their names alone.
  await page.getByRole('link', { name: /^Security password.+/ }).click()
  await person.fill('Login password', person.password)
  await person.fill('New security password', person.securityPassword)
  await person.fill('Confirm security password', person.securityPassword)
  await person.tap('Save')
  await expect(page.getByRole('link', { name: /^Security password ?Set$/ })).toBeVisible()
  await person.picture('personal-center')
}

/** Logs out, and in again with email and password: with a slide check, and then without, because the account knows the device. */
export async function comeBack(person: Person): Promise<void> {
  await leave(person)
  await person.picture('login')
  await person.slide(() => person.tap('Log in'))
  await expect(person.page).toHaveURL(`${person.environment.product}/`)
  await leave(person)
  await person.tap('Log in')
  await expect(person.page).toHaveURL(`${person.environment.product}/`)
}

/** Logs out, and fills in email and password. */
async function leave(person: Person): Promise<void> {
  await person.tap('Menu')
  await person.tap('Log out')
  await person.page.getByRole('dialog').getByRole('button', { name: 'Log out' }).click()
  await expect(person.page).toHaveURL(/\/login/)
  await person.fill('Email', person.email)
  await person.fill('Password', person.password)
}

/** Clears the session and the requests to the pass. */
export async function startOver(person: Person): Promise<void> {
  await person.page.context().clearCookies()
  await person.page.evaluate(() => localStorage.clear())
}
