import { units } from '../environment/chain.ts'
import { expect } from '../environment/stage.ts'
import { buyNft, nftOf, prepay, publishNft, sellNft } from '../people/nfts.ts'
import { seesBoth, test } from '../people/parties.ts'
import { advertOf, order } from '../people/quick.ts'
import { copied, custodyAddress, takeOrders } from '../people/selling.ts'
import { acceptOrder, letGraceEnd, markPaid, release } from '../people/trading.ts'
import { give, send } from '../people/wallet.ts'

test.use({ buyerScreen: 'desktop' })

test('an NFT is sold manually: the buyer pays the seller, who releases it', async ({
  seller,
  buyer,
  chain,
}) => {
  await give(buyer, 'USDT')
  const { number, name } = await nftOf(seller)
  await prepay(seller)

  const advert = await test.step('the seller offers the NFT and deposits it', async () => {
    const id = await publishNft(seller, number, '30')
    await send(seller, { to: await custodyAddress(seller), coin: 'ART', amount: String(number) })
    await seller.sees('Your ad is posted')
    await takeOrders(seller)
    return id
  })

  await test.step('the buyer orders, and the seller accepts', async () => {
    const id = await buyNft(buyer, advert, '30')
    await buyer.seesHeading(/Waiting for the other party to accept/)
    await seller.open(`/orderDetail?id=${id}`)
    await acceptOrder(seller)
    await buyer.seesHeading(/Pay the seller within/)
    await buyer.sees(`${name} is locked in escrow on-chain.`)
  })

  const paid = await chain.usdt(seller.address)
  await test.step('the buyer pays on the chain, and the seller releases the NFT', async () => {
    const to = await copied(buyer, 'Address')
    expect(to.toLowerCase()).toBe(seller.address.toLowerCase())
    const hash = await send(buyer, { to, coin: 'USDT', amount: '30' })
    await buyer.seesHeading('Your payment was detected on-chain. Tap “I have paid”.')
    await markPaid(buyer, '30 USDT', { label: 'Transaction hash (optional)', text: hash })
    await seller.seesHeading(/Check your account and confirm within/)
    await release(seller, name)
    await buyer.seesHeading(/Completed. You’ve received the NFT./)
    await seller.seesHeading(/Completed. The buyer has received the NFT./)
    await buyer.sees(`${name} has arrived at your address.`)
    await seller.picture('nft-sold')
  })
  expect((await chain.owner(number)).toLowerCase()).toBe(buyer.address.toLowerCase())
  expect((await chain.usdt(seller.address)) - paid).toBe(units('30', 6))
  // The fee and the network fee are spent; the rest of what the seller recharged is temporary balance.
  await seller.open('/fundRecord')
  await seller.sees('0.99 temporary balance')
})

test('an NFT whose orders are cancelled stays with the ad, and returns to its owner', async ({
  seller,
  buyer,
  chain,
  environment,
}) => {
  const { advert, number, name, to } = await sellNft(seller, { kind: 'MANUAL', price: '32' })
  const isForSale = async () => {
    await expect.poll(async () => (await advertOf(seller, advert)).remaining).toBe('1')
    expect((await chain.owner(number)).toLowerCase()).toBe(to.toLowerCase())
  }

  await test.step('the buyer cancels', async () => {
    await order(buyer, seller, advert, '1')
    await acceptOrder(seller)
    await buyer.seesHeading(/Pay the seller within/)
    await buyer.tap('Cancel')
    await buyer.picture('nft-cancel-sheet')
    await buyer.tap('Cancel order')
    await seesBoth({ seller, buyer }, /This order was cancelled/)
    await seller.sees(new RegExp(`^${name} was returned to your ad.`))
    await buyer.sees(new RegExp(`^${name} was returned to the seller.`))
    await isForSale()
  })

  await test.step('the seller asks to cancel, and the buyer agrees', async () => {
    await order(buyer, seller, advert, '1')
    await acceptOrder(seller)
    await seller.tap('Ask to cancel')
    await seller.sees(
      `If the buyer agrees, the order is permanently cancelled and ${name} is returned to your ad.`,
    )
    await seller.tap('Ask the buyer')
    await buyer.tap('Agree to cancel')
    await buyer.picture('nft-agree-to-cancel')
    await buyer.tap('Agree and cancel order')
    await seesBoth({ seller, buyer }, /This order was cancelled/)
    await seller.sees('You asked to cancel, and the buyer agreed.')
    await isForSale()
  })

  await test.step('the buyer doesn’t pay in time', async () => {
    await order(buyer, seller, advert, '1')
    await acceptOrder(seller)
    await buyer.seesHeading(/Pay the seller within/)
    await environment.letPass(15.1)
    await buyer.seesHeading(/Your payment is overdue/)
    await seller.seesHeading(/The buyer’s payment is overdue/)
    await letGraceEnd(buyer)
    await seesBoth({ seller, buyer }, /This order was cancelled/)
    await buyer.sees('You didn’t pay in time.')
    await isForSale()
  })

  await test.step('the seller revokes the ad, and the NFT returns', async () => {
    await seller.open('/myAdvert')
    await seller.tap('Revoke')
    await seller.picture('nft-revoke')
    await seller.tap('Revoke ad')
    await expect.poll(async () => (await advertOf(seller, advert)).state).toBe('CANCELLED')
    expect((await chain.owner(number)).toLowerCase()).toBe(seller.address.toLowerCase())
    // Only the network fee of the return is spent.
    await seller.open('/fundRecord')
    await seller.sees('2.99 temporary balance')
  })
})
