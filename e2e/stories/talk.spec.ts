import type { Page, WebSocketRoute } from '@playwright/test'
import { expect, test } from '../environment/stage.ts'
import type { Person } from '../people/person.ts'
import { arrive, order, refusal, sell } from '../people/quick.ts'
import { acceptOrder } from '../people/trading.ts'

const log = (page: Page) => page.getByRole('log', { name: 'Messages' })

async function say(person: Person, text: string): Promise<void> {
  await person.fill('Message', text)
  await person.tap('Send')
}

/** Controls the websocket of a page. */
async function wireOf(page: Page): Promise<{ cut: () => Promise<void>; mend: () => void }> {
  const open: WebSocketRoute[] = []
  let broken = false
  await page.routeWebSocket('**/api/fiat/*', (route) => {
    if (broken) {
      void route.close()
      return
    }
    open.push(route)
    route.connectToServer()
  })
  return {
    cut: async () => {
      broken = true
      await open.at(-1)?.close()
    },
    mend: () => {
      broken = false
    },
  }
}

test('two people talk during a trade, and a lost connection neither loses nor repeats anything', async ({
  bring,
}) => {
  const [seller, buyer, stranger] = [await bring(), await bring(), await bring()]
  for (const one of [seller, buyer, stranger]) await arrive(one)
  const wire = await wireOf(seller.page)
  const advert = await sell(seller, { base: 'MEC', quote: 'USDT', price: '0.5', quantity: '8' })
  const id = await order(buyer, seller, advert, '5')

  // The buyer writes first; the seller finds the message in the list of orders.
  await buyer.follow('Chat')
  await say(buyer, 'Hello, are you there?')
  // The seller's page is connected, and may report the message as delivered at once.
  await expect(log(buyer.page).getByRole('img', { name: /^(Sent|Delivered|Read)$/ })).toBeVisible()
  await seller.open('/order')
  await expect(seller.page.getByText('Unread messages: 1')).toBeAttached()
  await seller.open(`/chat?id=${id}`)
  await expect(log(seller.page).getByText('Hello, are you there?')).toBeVisible()
  await expect(log(buyer.page).getByRole('img', { name: 'Read' })).toBeVisible()
  await seller.picture('talk-seller')

  // Transitions appear in both conversations.
  await seller.follow('Accept order')
  await acceptOrder(seller)
  await seller.seesHeading(/Waiting for the buyer’s payment/)
  await seller.follow('Chat')
  await expect(log(buyer.page).getByText('The seller accepted the order')).toHaveCount(1)
  await expect(log(seller.page).getByText('You accepted the order')).toHaveCount(1)

  // While the seller's connection is lost, the buyer goes on.
  await wire.cut()
  for (const text of ['one', 'two', 'three']) {
    await say(buyer, text)
    await expect(log(buyer.page).getByText(text, { exact: true })).toHaveCount(1)
  }
  await expect(log(buyer.page).getByRole('img', { name: 'Sending' })).toHaveCount(0)
  await say(seller, 'written without a connection')
  wire.mend()
  for (const text of ['one', 'two', 'three', 'written without a connection']) {
    await expect(log(seller.page).getByText(text, { exact: true })).toHaveCount(1)
    await expect(log(buyer.page).getByText(text, { exact: true })).toHaveCount(1)
  }
  await say(buyer, 'four')
  await expect(log(seller.page).getByText('four', { exact: true })).toHaveCount(1)
  const shown = await log(seller.page)
    .getByText(/^(one|two|three|four)$/)
    .allInnerTexts()
  expect(shown).toEqual(['one', 'two', 'three', 'four'])

  // The log has no gap and no message twice.
  const { entries, last } = await buyer.api.get<{
    entries: { number: number; text: string }[]
    last: number
  }>(`/user/fiat/talk/${id}?after=0&size=100`)
  expect(entries.map((entry) => entry.number)).toEqual(Array.from({ length: last }, (_, at) => at + 1))
  const said = entries.map((entry) => entry.text).filter((text) => text !== '')
  expect(new Set(said).size).toBe(said.length)

  // A message that leads off the platform warns both.
  await say(buyer, 'Let us talk on Telegram')
  await buyer.sees(/Not sent. It looks like a contact/)
  await buyer.tap('Send anyway')
  await seller.sees(/Stay on MEC2C, and pay only to the account shown/)
  await buyer.picture('talk-buyer')

  // A stranger is refused at every call.
  for (const path of ['', 'read/', 'updateRead/', 'unRead/'])
    expect(await refusal(stranger.api.get(`/user/fiat/talk/${path}${id}`)), path).toBe('5007')
  expect(await refusal(stranger.api.post(`/user/fiat/talk/${id}`, { text: 'Hello' }))).toBe('5007')
  await stranger.open(`/chat?id=${id}`)
  await expect(stranger.page.getByRole('textbox', { name: 'Message' })).toHaveCount(0)
  await expect(stranger.page.getByText('Hello, are you there?')).toHaveCount(0)
})

test('on a desktop, the conversation is beside the order', async ({ bring }) => {
  const [seller, buyer] = [await bring('desktop'), await bring()]
  for (const one of [seller, buyer]) await arrive(one)
  const advert = await sell(seller, { base: 'MEC', quote: 'USDT', price: '0.5', quantity: '8' })
  await order(buyer, seller, advert, '5')
  await buyer.follow('Chat')
  await say(seller, 'I am at my desk.')
  await expect(log(buyer.page).getByText('I am at my desk.')).toBeVisible()
  await acceptOrder(seller)
  await expect(log(seller.page).getByText('You accepted the order')).toBeVisible()
  await seller.picture('talk-desktop')
})
