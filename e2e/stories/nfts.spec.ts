import { units } from '../environment/chain.ts'
import { expect, test } from '../environment/stage.ts'
import { prepay } from '../people/nfts.ts'
import { advertOf, arrive, postNft } from '../people/quick.ts'
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
    await prepay(seller)
  })

  let id = ''
  await test.step('the seller announces the NFT and deposits it', async () => {
    id = (await postNft(seller, number, { kind: 'AUTOMATIC', price: '30' })).id
    await seller.open(`/creatingOther?id=${id}`)
    await seller.picture('nft-creating')
    await send(seller, { to: await custodyAddress(seller), coin: 'ART', amount: String(number) })
    await expect.poll(async () => (await advertOf(seller, id)).state).toMatch(/^O(N|FF)LINE$/)
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
