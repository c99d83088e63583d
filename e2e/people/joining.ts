import { expect } from '@playwright/test'
import type { Person } from './person.ts'

/** How the pass is asked: its app scans the QR code on another device, or opens on this one. */
export type Way = 'scan' | 'redirect'

/** Approves what the product asks of the pass, as this person. */
async function approve(person: Person, way: Way, doing: () => Promise<void>): Promise<void> {
  const { page } = person
  const made = page.waitForResponse((response) => response.url().includes('/api/scan/genQrCodeUrl/'))
  await doing()
  const { data } = (await (await made).json()) as { data: { qrCodeUrl: string } }
  await expect(page.getByRole('img', { name: 'QR code for the pass app' })).toBeVisible()
  await person.picture(`pass-${way}`)
  const phone = way === 'scan' ? await page.context().newPage() : page
  if (way === 'scan') await phone.goto(data.qrCodeUrl)
  else await page.getByRole('link', { name: 'Open the pass on this device' }).click()
  await phone.getByLabel('You are').selectOption(person.meId)
  await phone.getByRole('button', { name: 'Approve' }).click()
  if (way === 'scan') {
    await expect(phone.getByText('Approved. Go back to the site.')).toBeVisible()
    await phone.close()
  }
}

/** Registers somebody through every screen of it, up to where they may trade. */
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
  await person.fill('Name shown to others', person.name)
  await person.tap('Save')
  await expect(page.getByRole('button', { name: /^Nickname/ })).toContainText(person.name)

  await page.getByRole('link', { name: /^Security password/ }).click()
  await person.fill('Login password', person.password)
  await person.fill('New security password', person.securityPassword)
  await person.fill('Confirm security password', person.securityPassword)
  await person.tap('Save')
  await expect(page.getByRole('link', { name: /^Security password ?set$/ })).toBeVisible()
  await person.picture('personal-center')
}

/** Logs out, and in again with e-mail and password. */
export async function comeBack(person: Person): Promise<void> {
  const { page } = person
  await person.tap('Menu')
  await person.tap('Log out')
  await page.getByRole('dialog').getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL(/\/login/)
  await person.fill('Email', person.email)
  await person.fill('Password', person.password)
  await person.picture('login')
  await person.slide(() => person.tap('Log in'))
  await expect(page).toHaveURL(`${person.world.product}/`)
}
