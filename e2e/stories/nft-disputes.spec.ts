import { units } from '../environment/chain.ts'
import { expect } from '../environment/stage.ts'
import { fileAppeal } from '../people/appealing.ts'
import { sellNft } from '../people/nfts.ts'
import { Officer } from '../people/officer.ts'
import { seesBoth, test } from '../people/parties.ts'
import { advertOf, order, pay } from '../people/quick.ts'
import { acceptOrder, markPaid, release } from '../people/trading.ts'
import { give } from '../people/wallet.ts'

test('an officer decides about an NFT: for the seller who was not paid, then for the buyer who paid', async ({
  seller,
  buyer,
  browser,
  chain,
  environment,
}) => {
  await give(buyer, 'USDT')
  const { advert, number, name, to } = await sellNft(seller, { kind: 'MANUAL', price: '34' })
  const owner = async () => (await chain.owner(number)).toLowerCase()

  await test.step('the buyer lies, the seller appeals, and the NFT returns to the ad', async () => {
    const id = await order(buyer, seller, advert, '1')
    await acceptOrder(seller)
    await buyer.seesHeading(/Pay the seller within/)
    await markPaid(buyer, '34 USDT')
    await seller.seesHeading(/Check your account/)
    await fileAppeal(seller, 'The payment hasn’t arrived')
    await seller.sees(
      'The appeal locks this order. Don’t pay. What is in escrow stays there until the appeal ends.',
    )
    await buyer.seesHeading(/Under appeal/)
    const officer = await Officer.forAppeals(environment, browser)
    await officer.joinCase(/34 USDT/)
    await officer.picture('nft-case')
    const effect = `${name} returns from escrow to the seller’s ad.`
    await officer.rule('Seller wins', 'There is no payment on the chain.', effect)
    await seller.seesHeading('Decided in your favor')
    await seller.sees(
      new RegExp(`^The order will be cancelled in .*, and ${name} goes back to where it came from.`),
    )
    await seller.picture('nft-appeal-decided')
    await officer.page.context().close()
    await environment.letPass(24 * 60 + 1)
    await seller.seesHeading('You won this appeal')
    await seller.sees(`The order was cancelled, and ${name} goes back to where it came from.`)
    await buyer.open(`/orderDetail?id=${id}`)
    await buyer.seesHeading(/This order was cancelled/)
    await buyer.sees('An officer decided the appeal.')
    await expect.poll(async () => (await advertOf(seller, advert)).remaining).toBe('1')
    expect(await owner()).toBe(to.toLowerCase())
  })

  await test.step('the buyer pays, the seller doesn’t confirm, and the NFT goes to the buyer', async () => {
    const id = await order(buyer, seller, advert, '1')
    await acceptOrder(seller)
    await buyer.seesHeading(/Pay the seller within/)
    const before = await chain.usdt(seller.address)
    await pay(buyer, seller.address, 'USDT', '34')
    await markPaid(buyer, '34 USDT')
    await environment.letPass(15.1)
    await buyer.seesHeading(/The seller’s confirmation is overdue/)
    await buyer.sees(new RegExp(`${name} stays in escrow`))
    await fileAppeal(buyer, 'I’ve paid, but the seller doesn’t confirm')
    const officer = await Officer.forAppeals(environment, browser)
    await officer.joinCase(/34 USDT/)
    await officer.rule('Buyer wins', 'The payment is on the chain.', `${name} goes from escrow to the buyer`)
    await buyer.seesHeading('Decided in your favor')
    await buyer.sees(new RegExp(`^${name} will be released to the buyer in `))
    await officer.page.context().close()
    await environment.letPass(24 * 60 + 1)
    await buyer.sees(`${name} is released to the buyer.`)
    await buyer.open(`/orderDetail?id=${id}`)
    await buyer.seesHeading(/Completed. You’ve received the NFT./)
    await buyer.sees('Released by an officer')
    await buyer.picture('nft-decided')
    await seller.open(`/orderDetail?id=${id}`)
    await seller.seesHeading(/Completed. The buyer has received the NFT./)
    expect(await owner()).toBe(buyer.address.toLowerCase())
    expect((await chain.usdt(seller.address)) - before).toBe(units('34', 6))
    // The fee and the network fee are spent; the rest of what the seller recharged is temporary balance.
    await seller.open('/fundRecord')
    await seller.sees('0.99 temporary balance')
  })
})

test('the deposit of an NFT leaves the chain: the order freezes, resumes once the NFT is back, and completes', async ({
  seller,
  buyer,
  browser,
  chain,
  environment,
}) => {
  await give(buyer, 'USDT')
  const { advert, number, name, to, hash } = await sellNft(seller, { kind: 'MANUAL', price: '36' })
  const owner = async () => (await chain.owner(number)).toLowerCase()
  await order(buyer, seller, advert, '1')
  await acceptOrder(seller)
  await buyer.seesHeading(/Pay the seller within/)

  await test.step('the deposit leaves the chain, and the buyer is told not to pay', async () => {
    await chain.lose(hash)
    await seesBoth({ seller, buyer }, /Order frozen. All timers are paused./)
    expect(await owner()).toBe(seller.address.toLowerCase())
    await buyer.sees(`${name} was in escrow, but the deposit was reversed on-chain.`)
    await buyer.sees(/Don’t pay until it’s restored/)
    await seller.sees(/send the NFT to your escrow address again/)
    await seller.picture('nft-frozen')
    // Wait longer than the payment window and its grace period.
    await environment.letPass(60)
    await pay(seller, to, 'ART', String(number))
    await buyer.seesHeading(/Pay the seller within/)
    await buyer.sees(`${name} is locked in escrow on-chain.`)
    await seller.seesHeading(/Waiting for the buyer’s payment/)
  })

  await test.step('the buyer pays, and the release waits for an officer', async () => {
    await pay(buyer, seller.address, 'USDT', '36')
    await markPaid(buyer, '36 USDT')
    await release(seller, name)
    await buyer.seesHeading('Your NFT is on the way')
    const officer = await Officer.arrive(environment, browser)
    // Losing final blocks stops the payouts of all coins and albums.
    await officer.resume()
    await seller.seesHeading(/Completed. The buyer has received the NFT./)
    await buyer.seesHeading(/Completed. You’ve received the NFT./)
    expect(await owner()).toBe(buyer.address.toLowerCase())
    await officer.page.context().close()
  })
})
