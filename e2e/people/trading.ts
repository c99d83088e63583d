import { expect } from '@playwright/test'
import type { Person } from './person.ts'

/** The steps of an order on a sell ad, in the words of either party. */
export const STEPS = [
  /Coins in escrow, done/,
  /Order accepted, done/,
  /(?:You|Buyer) paid, done/,
  /(?:Seller received payment|You received the payment), done/,
  /Confirmed on-chain, done/,
] as const

/** Finds an ad in the hall by pair and amount. */
export async function find(buyer: Person, seller: Person, pair: string, amount: string): Promise<void> {
  const { page } = buyer
  await buyer.open('/')
  await page.getByLabel('Pair', { exact: true }).selectOption(pair)
  await buyer.fill('Amount', amount)
  const base = pair.split('/')[0]
  const ad = page.getByRole('link', { name: `Buy ${base} from ${seller.name}` }).first()
  // The filter has been applied once the ad's link contains the amount.
  await expect(ad).toHaveAttribute('href', new RegExp(`amount=${amount}$`))
  await ad.click()
  await expect(page).toHaveURL(/\/buySell/)
}

/** Places an order on the ad's page. `what` is the amount in the label of the button. */
export async function order(buyer: Person, what: string): Promise<string> {
  await buyer.tap(`Buy ${what}`)
  await expect(buyer.page).toHaveURL(/\/orderDetail\?id=/)
  return new URL(buyer.page.url()).searchParams.get('id') ?? ''
}

/** Accepts the order whose page is open. */
export async function acceptOrder(seller: Person): Promise<void> {
  await seller.tap('Accept order')
  await seller.tap(/^Accept and sell /)
}

/** Marks the order as paid, with a receipt if there is one (PNG). */
export async function markPaid(
  buyer: Person,
  total: string,
  note: { label: string; text: string },
  receipt?: Buffer,
): Promise<void> {
  await buyer.tap('I have paid')
  await buyer.fill(note.label, note.text)
  if (receipt !== undefined) {
    const file = { name: 'receipt.png', mimeType: 'image/png', buffer: receipt }
    await buyer.page.getByLabel('Add a picture', { exact: true }).setInputFiles(file)
    await expect(buyer.page.getByText('1 of 1 uploaded')).toBeAttached()
  }
  await buyer.tap(`Yes, I’ve paid ${total}`)
  await buyer.seesHeading(/Waiting for the seller to confirm/)
}

/** Opens the receipt of the order, and checks that the picture is there. */
export async function seesReceipt(seller: Person): Promise<void> {
  await seller.tap('Enlarge: Payment receipt 1')
  const picture = seller.page.getByRole('img', { name: 'Payment receipt 1' })
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0)
  await seller.sees('A picture isn’t proof of payment.')
  await seller.picture('receipt')
  await seller.tap('Close')
}

/** Confirms the payment with the checkbox and the security password. */
export async function release(seller: Person, what: string): Promise<void> {
  await seller.tap('Payment received')
  await seller.page.getByRole('checkbox').check()
  await seller.fill('Security password', seller.securityPassword)
  await seller.tap(`Release ${what}`)
}

/** Checks that all five steps of an order are done. */
export async function seesCompleted(person: Person, sentence: RegExp): Promise<void> {
  await person.seesHeading(sentence)
  const steps = person.page.getByRole('list', { name: 'Order progress' }).getByRole('listitem')
  await expect(steps).toHaveCount(STEPS.length)
  for (const [index, step] of STEPS.entries()) {
    await expect(steps.nth(index)).toContainText(step)
  }
}
