import { expect, test } from '../environment/stage.ts'
import { addMethod, FIELDS } from '../people/methods.ts'
import { certify } from '../people/officer.ts'
import { orderOf } from '../people/orderCalls.ts'
import type { Person } from '../people/person.ts'
import { arrive, sell } from '../people/quick.ts'
import { copied } from '../people/selling.ts'
import { acceptOrder } from '../people/trading.ts'

// No other story trades in the currencies of these two.

/** Returns the value on the line of the page that has this label. */
function line({ page }: Person, label: string) {
  return page
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${label}$`) })
    .locator('+ dd')
}

/** Checks lines of the page. */
async function seesLines(person: Person, lines: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(lines)) {
    await expect(line(person, label), label).toHaveText(value)
  }
}

test('quick trade: an amount and a payment method lead to the best ad, and two taps to the order', async ({
  bring,
  browser,
  environment,
}) => {
  const [seller, rival, buyer] = [
    await bring('phone', 'US'),
    await bring('phone', 'US'),
    await bring('phone', 'US'),
  ]
  for (const one of [seller, rival, buyer]) await arrive(one)
  await certify(environment, browser, seller, rival)

  const advert = await test.step('two sellers post ads, some of which cannot take the trade', async () => {
    const zelle = await addMethod(rival, 'zelle', 'USD')
    const cashApp = await addMethod(rival, 'cashApp', 'USD')
    const terms = { base: 'MEC', quote: 'USD' } as const
    await sell(rival, { ...terms, price: '0.47', quantity: '8' }, [zelle])
    await sell(rival, { ...terms, price: '0.48', quantity: '40', smallest: '6' }, [zelle])
    await sell(rival, { ...terms, price: '0.49', quantity: '40' }, [cashApp])
    await sell(rival, { ...terms, price: '0.52', quantity: '40' }, [zelle, cashApp])
    const method = await addMethod(seller, 'zelle', 'USD')
    return sell(seller, { ...terms, price: '0.5', quantity: '40' }, [method])
  })

  await test.step('the buyer enters an amount and chooses a method', async () => {
    for (const type of ['zelle', 'cashApp'] as const) await addMethod(buyer, type, 'USD')
    await buyer.open('/')
    await buyer.page.getByLabel('Pair', { exact: true }).selectOption('MEC/USD')
    await buyer.tap('Quick trade')
    await buyer.fill('You pay', '5')
    // Without a method, the ad with the lower price is the best that takes the amount.
    await expect(buyer.page.getByRole('link', { name: `Buy from ${rival.nickname}` })).toBeVisible()
    await buyer.page.getByText('Any payment method').click()
    await buyer.page.getByRole('checkbox', { name: 'Zelle' }).check()
  })

  await test.step('the best ad is the cheapest that fits, and the cheaper ones say why they don’t', async () => {
    await expect(buyer.page.getByRole('link', { name: `Buy from ${seller.nickname}` })).toBeVisible()
    await buyer.follow('Compare all ads')
    await seesLines(buyer, {
      Price: '0.5 USD',
      'You pay': '5 USD',
      Fee: '0.01 MEC',
      'You receive': '9.99 MEC',
    })
    const below = (name: string) =>
      buyer.page.locator('section', { has: buyer.page.getByRole('heading', { name }) }).getByRole('listitem')
    await expect(below('These ads fit too')).toHaveText([/0\.52 USD/])
    await expect(below('Why other ads don’t fit')).toHaveText([
      /0\.47 USD.*Takes orders up to 3\.76 USD/,
      /0\.48 USD.*Takes orders from 6 USD/,
      /0\.49 USD.*Only with Cash App/,
    ])
    await buyer.picture('quick-trade')
  })

  const id = await test.step('two taps place the order', async () => {
    await buyer.follow(`Buy from ${seller.nickname}`)
    await buyer.tap('Buy 10 MEC')
    await expect(buyer.page).toHaveURL(/\/orderDetail\?id=/)
    return new URL(buyer.page.url()).searchParams.get('id') ?? ''
  })

  await test.step('both sides see the amounts that the best ad promised', async () => {
    await buyer.seesHeading(/Waiting for the other party to accept/)
    const both = { Quantity: '10 MEC', 'Unit price': '0.5 USD', Fee: '0.01 MEC' }
    await seesLines(buyer, { ...both, 'You pay': '5 USD', 'You receive': '9.99 MEC' })
    await seller.open(`/orderDetail?id=${id}`)
    await seesLines(seller, { ...both, 'You receive': '5 USD', 'The buyer receives': '9.99 MEC' })
    const terms = {
      advertId: advert,
      price: '0.5',
      quantity: '10',
      total: '5',
      fee: '0.01',
      receives: '9.99',
    }
    for (const one of [buyer, seller]) expect(await orderOf(one, id)).toMatchObject(terms)
  })

  await test.step('the seller accepts, and the buyer is to pay this amount with this method', async () => {
    await acceptOrder(seller)
    await buyer.seesHeading(/Pay the seller within/)
    expect(await copied(buyer, 'Amount')).toBe('5')
    await buyer.sees(FIELDS.zelle.account)
    await buyer.picture('quick-trade-order')
  })
})

test('a filter by three payment methods survives a reload, and is applied again once saved', async ({
  bring,
  browser,
  environment,
}) => {
  const [seller, buyer] = [await bring('phone', 'DE'), await bring('phone', 'DE')]
  await arrive(seller)
  await arrive(buyer)
  await certify(environment, browser, seller)

  const [card, sepa, revolut, visa] = [
    await addMethod(seller, 'bankCard', 'EUR'),
    await addMethod(seller, 'sepa', 'EUR'),
    await addMethod(seller, 'revolut', 'EUR'),
    await addMethod(seller, 'visaDirect', 'EUR'),
  ]
  const terms = { base: 'MEC', quote: 'EUR', quantity: '10' } as const
  const byCard = await sell(seller, { ...terms, price: '0.46' }, [card])
  const chosen = [
    await sell(seller, { ...terms, price: '0.47' }, [sepa, card]),
    await sell(seller, { ...terms, price: '0.48' }, [revolut]),
    await sell(seller, { ...terms, price: '0.49' }, [visa]),
  ]
  const all = [byCard, ...chosen]

  /** Checks which ads the hall shows, in their order. */
  const seesAds = async (ids: readonly string[]) => {
    const links = buyer.page
      .getByRole('list', { name: 'Ads' })
      .getByRole('link', { name: `Buy MEC from ${seller.nickname}` })
    const shown = () =>
      links.evaluateAll((found) =>
        found.map((link) => new URL((link as HTMLAnchorElement).href).searchParams.get('id')),
      )
    await expect.poll(shown).toEqual(ids)
  }

  await test.step('the buyer chooses three methods, and the other ads disappear', async () => {
    await buyer.open('/')
    await buyer.page.getByLabel('Pair', { exact: true }).selectOption('MEC/EUR')
    await seesAds(all)
    await buyer.follow('Filters')
    await buyer.page.getByText('Any payment method').click()
    for (const name of ['SEPA transfer', 'Revolut', 'VISA Direct']) {
      await buyer.page.getByRole('checkbox', { name, exact: true }).check()
    }
    await buyer.picture('filter-methods')
    await buyer.tap('Show 3 ads')
    await seesAds(chosen)
  })

  await test.step('the filter survives a reload', async () => {
    await buyer.page.reload()
    await seesAds(chosen)
    await expect(buyer.page.getByRole('link', { name: 'Filters, 1 in effect' })).toBeVisible()
  })

  const name = 'Buy MEC with EUR · VISA Direct, SEPA transfer, or Revolut'
  await test.step('the buyer saves the filter and clears it', async () => {
    await buyer.follow('Filters, 1 in effect')
    await buyer.tap('Save these filters')
    await buyer.sees('Saved on this device')
    await buyer.tap('Clear all')
    await buyer.tap('Show 4 ads')
    await seesAds(all)
  })

  await test.step('the saved filter is there after a reload, and one tap applies it', async () => {
    await buyer.follow('Filters')
    await buyer.page.reload()
    await expect(buyer.page.getByRole('link', { name })).toBeVisible()
    await buyer.picture('filter-saved')
    await buyer.follow(name)
    await seesAds(chosen)
    await expect(buyer.page).toHaveURL(/[?&]methods=[^&]*sepa/)
  })
})
