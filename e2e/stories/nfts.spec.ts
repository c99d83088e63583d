import { units } from '../environment/chain.ts'
import { expect, test } from '../environment/stage.ts'
import { arrive, pay } from '../people/quick.ts'
import { custodyAddress, takeOrders } from '../people/selling.ts'
import { give, ownedNft, send } from '../people/wallet.ts'

test('an NFT is deposited, sold automatically, and both legs settle in one transaction', async ({
  bring,
  chain,
}) => {
  const [seller, buyer] = [await bring(), await bring('desktop')]
  await arrive(seller)
  await arrive(buyer)
  await give(buyer, 'USDT')
  const number = await ownedNft(seller)

  await test.step('the seller recharges what an ad for an NFT costs', async () => {
    const { custodyAddress: to } = await seller.api.get<{ custodyAddress: string }>('/balance')
    await give(seller, 'MEC')
    await pay(seller, to, 'MEC', '3')
    await expect
      .poll(async () => {
        const { lines } = await seller.api.get<{ lines: { asset: string; temporary: string }[] }>('/balance')
        return lines.find((line) => line.asset === 'MEC')?.temporary
      })
      .toBe('3')
  })

  let id = ''
  await test.step('the seller announces the NFT and deposits it', async () => {
    const ad = { side: 'SELL', kind: 'AUTOMATIC', base: 'ART', quote: 'USDT', nftId: String(number) }
    const terms = { price: '30', quantity: '1', orderMin: '30', orderMax: '30', farPriceConfirmed: true }
    id = (await seller.api.post<{ id: string }>('/c2c/advert/create', { ...ad, ...terms })).id
    await seller.open(`/creatingOther?id=${id}`)
    await seller.picture('nft-creating')
    await send(seller, { to: await custodyAddress(seller), coin: 'ART', amount: String(number) })
    const advert = async () => (await seller.api.get<{ state: string }>(`/c2c/advert/${id}`)).state
    await expect.poll(advert).toMatch(/^O(N|FF)LINE$/)
    await takeOrders(seller)
  })

  const paid = await chain.usdt(seller.address)
  await test.step('the buyer finds it, orders and pays', async () => {
    await buyer.open('/')
    await buyer.page.getByText('NFTs', { exact: true }).first().click()
    await buyer.page.locator(`a[href*="${id}"]`).click()
    await expect(buyer.page).toHaveURL(/\/nft\/purchaseOrder/)
    await buyer.seesHeading(`Garden ${number}`)
    await buyer.picture('nft-purchase')
    await buyer.page.getByRole('button', { name: 'Buy for 30 USDT' }).last().click()
    await expect(buyer.page).toHaveURL(/\/orderDetail\?id=/)
    await send(buyer, { to: await custodyAddress(buyer), coin: 'USDT', amount: '30' })
    await buyer.seesHeading(/Completed. You’ve received the NFT./)
    await buyer.picture('nft-completed')
  })
  expect((await chain.owner(number)).toLowerCase()).toBe(buyer.address.toLowerCase())
  expect((await chain.usdt(seller.address)) - paid).toBe(units('30', 6))
})
