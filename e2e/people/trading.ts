import { expect } from '@playwright/test'
import type { Person } from './person.ts'

/** The steps of an order on a sell ad, in the words of either party. */
const STEPS = [
  /Coins in escrow, done/,
  /Order accepted, done/,
  /(?:You|Buyer) paid, done/,
  /(?:Seller received payment|You received the payment|Both deposits in escrow), done/,
  /Confirmed on-chain, done/,
] as const

/** The steps of an order on an ad that buys. */
const BUYING_STEPS = {
  manual: [STEPS[1], STEPS[0], STEPS[2], STEPS[3], STEPS[4]],
  automatic: [/Payment in escrow, done/, STEPS[1], STEPS[0], STEPS[3], STEPS[4]],
} as const

/** Finds an ad in the hall by pair and amount. */
export async function find(buyer: Person, seller: Person, pair: string, amount: string): Promise<void> {
  await buyer.open('/')
  await open(buyer, `Buy ${pair.split('/')[0]} from ${seller.nickname}`, pair, amount)
}

/** Finds an ad that buys in the hall by pair and amount. */
export async function findBuyer(seller: Person, buyer: Person, pair: string, amount: string): Promise<void> {
  await seller.open('/')
  await seller.page.getByText('Sell', { exact: true }).first().click()
  await open(seller, `Sell ${pair.split('/')[0]} to ${buyer.nickname}`, pair, amount)
}

async function open(taker: Person, link: string, pair: string, amount: string): Promise<void> {
  const { page } = taker
  await page.getByLabel('Pair', { exact: true }).selectOption(pair)
  await taker.fill('Amount', amount)
  const ad = page.getByRole('link', { name: link }).first()
  // The filter has been applied once the ad's link contains the amount.
  await expect(ad).toHaveAttribute('href', new RegExp(`amount=${amount}(?:&|$)`))
  await ad.click()
  // A desktop shows the order form beside the hall.
  await expect(page).toHaveURL(/\/buySell|[?&]ad=/)
}

/** Places an order on the ad's page. `what` is the amount in the label of the button. */
export async function order(buyer: Person, what: string): Promise<string> {
  return place(buyer, `Buy ${what}`)
}

/** Places an order on the page of an ad that buys. */
export async function orderToSell(seller: Person, what: string): Promise<string> {
  return place(seller, `Sell ${what}`)
}

async function place(buyer: Person, button: string): Promise<string> {
  await buyer.tap(button)
  await expect(buyer.page).toHaveURL(/\/orderDetail\?id=/)
  return new URL(buyer.page.url()).searchParams.get('id') ?? ''
}

/** Accepts the order whose page is open. */
export async function acceptOrder(advertiser: Person): Promise<void> {
  await advertiser.tap('Accept order')
  await advertiser.tap(/^Accept and (?:buy|sell) /)
}

/** Lets the grace period of the order whose page is open end. It starts when the platform notifies the late party. */
export async function letGraceEnd(late: Person): Promise<void> {
  await late.sees(/left to (?:pay|deposit)\. After that, the order is cancelled\./)
  await late.environment.letPass(10.1)
}

/** Marks the order as paid, with a note and a receipt (PNG) if there are any. */
export async function markPaid(
  buyer: Person,
  total: string,
  note?: { label: string; text: string },
  receipt?: Buffer,
): Promise<void> {
  await buyer.tap('I have paid')
  if (note !== undefined) await buyer.fill(note.label, note.text)
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
  await seesSteps(person, sentence, STEPS)
}

/** Checks that all five steps of an order on an ad that buys are done. */
export async function seesBought(
  person: Person,
  sentence: RegExp,
  kind: keyof typeof BUYING_STEPS,
): Promise<void> {
  await seesSteps(person, sentence, BUYING_STEPS[kind])
}

async function seesSteps(person: Person, sentence: RegExp, expected: readonly RegExp[]): Promise<void> {
  await person.seesHeading(sentence)
  const steps = person.page.getByRole('list', { name: 'Order progress' }).getByRole('listitem')
  await expect(steps).toHaveCount(expected.length)
  for (const [index, step] of expected.entries()) {
    await expect(steps.nth(index)).toContainText(step)
  }
}
