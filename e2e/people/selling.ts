import { expect } from '@playwright/test'
import type { Person } from './person.ts'
import { send } from './wallet.ts'

export interface Terms {
  /** The owner sells unless the terms say otherwise. */
  side?: 'BUY'
  base: 'MEC' | 'USDT'
  quote: string
  kind?: 'Manual release' | 'Automatic release'
  price: string
  quantity: string
  smallest?: string
}

/** Fills in the wizard, up to the last tap. */
export async function describe(person: Person, terms: Terms): Promise<void> {
  const { page } = person
  const buying = terms.side === 'BUY'
  await person.open('/publish')
  await page.getByText(buying ? 'I want to buy' : 'I want to sell', { exact: true }).click()
  await page.getByRole('radio', { name: terms.base, exact: true }).check()
  const legend = buying ? 'What do you pay with?' : 'What do you want to be paid in?'
  const currencies = page.getByRole('group', { name: legend })
  await currencies.getByRole('radio', { name: new RegExp(`^${terms.quote}`) }).check()
  if (terms.kind !== undefined) {
    await page.getByRole('radio', { name: new RegExp(`^${terms.kind}`) }).check()
  }
  await person.tap('Continue')
  await person.fill(`Price per ${terms.base}`, terms.price)
  await person.fill(buying ? 'How much do you want to buy?' : 'How much are you selling?', terms.quantity)
  await person.tap('Continue')
  if (terms.smallest !== undefined) await person.fill('Minimum per order', terms.smallest)
  await person.tap('Max')
}

/** Adds a bank account during another flow. */
export async function addBank(person: Person, account: string): Promise<void> {
  const { page } = person
  await person.follow('Add a payment method')
  await page.getByLabel('Type', { exact: true }).selectOption('bankCard')
  await person.fill('Account holder', person.name)
  await person.fill('Account or card number', account)
  await person.fill('Bank name', 'First Bank')
  await person.tap('Save')
}

/** Makes the last two taps of the wizard. */
export async function create(person: Person): Promise<void> {
  await person.tap('Continue')
  await person.tap('Create ad')
  await expect(person.page).toHaveURL(/\/creating(?:Other)?\?id=/)
}

/** Returns the address that the screen offers to copy. */
export async function custodyAddress(person: Person): Promise<string> {
  return copied(person, 'To')
}

/** Taps a copy button and returns the clipboard. */
export async function copied(person: Person, what: string): Promise<string> {
  await person.page
    .getByRole('button', { name: `Copy ${what}`, exact: true })
    .first()
    .click()
  return person.page.evaluate(() => navigator.clipboard.readText())
}

/** Sends the missing deposit, and waits until the ad is posted. */
export async function deposit(person: Person, coin: 'MEC' | 'USDT', amount: string): Promise<void> {
  await send(person, { to: await custodyAddress(person), coin, amount })
  await person.sees('Your ad is posted')
}

export async function takeOrders(person: Person): Promise<void> {
  await person.open('/myAdvert')
  const taking = person.page.getByRole('switch', { name: 'Take orders' })
  await expect(taking).toBeEnabled()
  if ((await taking.getAttribute('aria-checked')) === 'false') await taking.click()
  await expect(taking).toHaveAttribute('aria-checked', 'true')
}
