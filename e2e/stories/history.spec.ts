import { expect, test } from '../environment/stage.ts'
import { addMethod } from '../people/methods.ts'
import { certify } from '../people/officer.ts'
import type { Person } from '../people/person.ts'
import { arrive, order, sell } from '../people/quick.ts'
import { downloadOrders, type Row } from '../people/table.ts'
import { acceptOrder, markPaid, release, seesCompleted } from '../people/trading.ts'

const COLUMNS = [
  'Order ID',
  'Placed at',
  'Ended at',
  'Status',
  'Role',
  'Coin',
  'Quantity',
  'Currency',
  'Price',
  'Total',
  'Fee',
  'Fee coin',
  'Counterparty',
  'Payment method',
  'Payment reference',
  'Transaction hash',
  'NFT',
  'Ad ID',
]

/** A spreadsheet would calculate it, and a reader of tables would take it for two cells. */
const FORMULA = '=SUM(1,2)&" rent"'

/** Opens the finished orders, of which there is this number. */
async function openFinished(person: Person, count: number): Promise<void> {
  const { page } = person
  await person.open('/order')
  await page.getByText('Finished', { exact: true }).click()
  await expect(page.getByRole('list', { name: 'Orders' }).getByRole('listitem')).toHaveCount(count)
}

test('both parties download their ended orders as a table, in which no text is a formula', async ({
  bring,
  browser,
  environment,
}) => {
  const [seller, buyer] = [await bring('phone', 'TH'), await bring('phone', 'TH')]
  await arrive(seller)
  await arrive(buyer)
  await certify(environment, browser, seller)
  const method = await addMethod(seller, 'bankCard', 'THB')
  await addMethod(buyer, 'bankCard', 'THB')
  const terms = { base: 'MEC', quote: 'THB', price: '17.25', quantity: '10' } as const
  const advert = await sell(seller, terms, [method])

  const completed =
    await test.step('an order is completed, whose buyer writes a formula as the reference', async () => {
      const id = await order(buyer, seller, advert, '4')
      await acceptOrder(seller)
      await markPaid(buyer, '69 THB', { label: 'Payment reference (optional)', text: FORMULA })
      await seller.sees(FORMULA)
      await release(seller, '4 MEC')
      await seesCompleted(buyer, /Completed. You’ve received the coins./)
      await seesCompleted(seller, /Completed. The buyer has received the coins./)
      return id
    })

  const cancelled = await test.step('another is cancelled, and a third is open', async () => {
    const id = await order(buyer, seller, advert, '3')
    await buyer.tap('Cancel')
    await buyer.tap('Cancel order')
    await buyer.seesHeading(/This order was cancelled/)
    await order(buyer, seller, advert, '2')
    return id
  })

  /** Returns the cells that are the same for both parties. */
  const cellsOf = async (id: string, cells: Row): Promise<Row> => {
    const { createdAt } = await buyer.api.get<{ createdAt: string }>(`/c2c/deal/order/${id}`)
    return {
      'Order ID': id,
      'Placed at': createdAt.replace(/(?:\.\d+)?Z$/, 'Z'),
      Coin: 'MEC',
      Currency: 'THB',
      Price: '17.25',
      'Fee coin': 'MEC',
      'Payment method': 'bankCard',
      'Transaction hash': '',
      NFT: '',
      'Ad ID': advert,
      ...cells,
    }
  }
  const expected = [
    await cellsOf(cancelled, {
      Status: 'CANCELLED',
      Quantity: '3',
      Total: '51.75',
      Fee: '0.003',
      'Payment reference': '',
    }),
    await cellsOf(completed, {
      Status: 'COMPLETED',
      Quantity: '4',
      Total: '69',
      Fee: '0.004',
      'Payment reference': `'${FORMULA}`,
    }),
  ]

  for (const [party, other, role] of [
    [buyer, seller, 'BUYER'],
    [seller, buyer, 'SELLER'],
  ] as const) {
    await test.step(`the file of the ${role} has both ended orders, newest first`, async () => {
      await openFinished(party, 2)
      const { fileName, columns, rows } = await downloadOrders(party)
      await party.sees('Downloaded')
      expect(fileName).toMatch(/^mec2c-orders-\d{4}-\d{2}-\d{2}\.csv$/)
      expect(columns).toEqual(COLUMNS)
      expect(rows).toMatchObject(expected)
      for (const row of rows) {
        expect(row).toMatchObject({ Role: role, Counterparty: other.nickname })
        const [placed, ended] = [row['Placed at'], row['Ended at']].map((time) => Date.parse(time ?? ''))
        expect(ended).toBeGreaterThanOrEqual(placed ?? Number.NaN)
        expect(Object.values(row).filter((cell) => /^[=+@-]/.test(cell))).toEqual([])
      }
    })
  }

  await test.step('the file has only what the filters show', async () => {
    await buyer.page.getByRole('searchbox', { name: 'Nickname or order ID' }).fill(completed)
    await expect(buyer.page.getByRole('list', { name: 'Orders' }).getByRole('listitem')).toHaveCount(1)
    await buyer.picture('history-filtered')
    const { rows } = await downloadOrders(buyer)
    expect(rows.map((row) => row['Order ID'])).toEqual([completed])
  })
})
