import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { signIn } from './overrides.ts'

/** Each screen, with a text that is visible once the screen has loaded. */
export const SCREENS: readonly [path: string, shows: RegExp, session?: false][] = [
  ['/login', /Coins stay in escrow/, false],
  ['/register', /Verify your identity/, false],
  ['/forgot', /Email of your account/, false],
  ['/resetPassword', /Tell us your email address first/, false],
  ['/systemMaintenance', /MEC2C is open/, false],
  ['/', /MinhTrader/],
  ['/?quote=USDT&wish=NFT', /Glass Poppy/],
  ['/filters?base=MEC&quote=USD&certified=true', /Certified traders only/],
  ['/adMatching?base=MEC&quote=USD&amount=48', /Best ad for you/],
  ['/adMatching?base=MEC&quote=USD&amount=1', /Why other ads don’t fit/],
  ['/buySell?id=a-SELL-MEC-USD-0&amount=48', /You receive/],
  ['/buySell?id=a-BUY-MEC-USDT-0&amount=48', /You then have \d+ minutes to deposit the MEC/],
  ['/nft/purchaseOrder?adId=a-SELL-ART-USDT-0', /Minted/],
  ['/nft/purchaseOrder?id=117', /Minted/],
  ['/nft/list', /48 NFTs in custody/],
  ['/publish', /What are you selling/],
  ['/publish?nft=117', /Chrome Thistle/],
  ['/creatingOther?id=ad-10', /Send exactly this NFT/],
  ['/creatingOther?id=ad-11', /Your ad is posted/],
  ['/creating?id=ad-2', /Send to escrow/],
  ['/creating?id=ad-3', /Being confirmed/],
  ['/creating?id=ad-1', /Your ad is posted/],
  ['/creatingOther?id=ad-7', /Send 480 USDT/],
  ['/myAdvert', /Taking orders/],
  ['/order', /MinhTrader/],
  ['/order?show=finished&coin=MEC', /Download as a table|MinhTrader/],
  ['/order?show=finished&search=nobody', /No orders match/],
  ['/orderDetail?id=o-pay', /Payment details/],
  ['/orderDetail?id=o-accept', /Accept order/],
  ['/orderDetail?id=o-confirm', /Payment received/],
  ['/orderDetail?id=o-auto', /Your on-chain payment/],
  ['/orderDetail?id=o-usdt', /Payment details/],
  ['/orderDetail?id=o-arrived', /is being confirmed on-chain/],
  ['/orderDetail?id=o-late', /The seller hasn’t confirmed in time/],
  ['/orderDetail?id=o-asked', /has asked you to cancel/],
  ['/orderDetail?id=o-seen', /Payment detected on-chain/],
  ['/orderDetail?id=o-frozen', /Don’t pay until it’s restored/],
  ['/orderDetail?id=o-frozen-seller', /send the same amount/],
  ['/orderDetail?id=o-appealed', /locked until the appeal ends/],
  ['/orderDetail?id=o-restored', /Please pay on time/],
  ['/appeals', /Waiting for an officer/],
  ['/appeal?id=o-appeal', /Why do you appeal/],
  ['/appeal?id=o-appealed', /Waiting for an officer/],
  ['/appeal?id=o-decided', /Decided in your favor/],
  ['/appeal?id=o-appeal-later', /You can’t appeal yet/],
  ['/orderDetail?id=o-deposit', /Your deposit/],
  ['/orderDetail?id=o-refund', /on the way to your bound address/],
  ['/orderDetail?id=o-left', /in your temporary balance/],
  ['/orderDetail?id=o-release', /on the way/],
  ['/orderDetail?id=o-done', /The buyer has received the coins/],
  ['/orderDetail?id=o-cancelled', /This order was cancelled/],
  ['/orderDetail?id=o-nft', /prepaid by the seller/],
  ['/appeal?id=o-nft-appealed', /Mecha Gardens #239/],
  ['/chat?id=o-nft', /A fine garden/],
  ['/fundRecordDetails?id=f-9', /Mecha Gardens #34/],
  ['/chat', /Buy 100 MEC/],
  ['/chat?id=o-pay', /Are you there/],
  ['/chat?id=o-releasing', /Here is what my bank shows/],
  ['/fundRecord', /Your balances/],
  ['/recharge', /Your escrow address/],
  ['/fundRecordDetails?id=f-2', /On the way/],
  ['/paymentMethod', /First Harbor Bank/],
  ['/creatingPayment', /Account holder/],
  ['/personalCenter', /Your balances/],
  ['/certification', /What it takes/],
  ['/updateSecurityPassword', /New security password/],
  ['/updateReceivingAddress', /Change address/],
  ['/updateEmail', /New email/],
  ['/updatePassword', /Current password/],
  ['/sessions', /Log out everywhere/],
  ['/boundAddress', /Move to another address/],
  ['/updateRemark', /Everyone who opens your page/],
  ['/automaticReply', /Whoever orders from your ads/],
  ['/trader?id=u-minh', /Member since/],
  ['/traders', /MinhTrader/],
  ['/notifications', /Someone ordered from your ad/],
  ['/notifications?show=APPEAL', /No notifications/],
  ['/notificationSettings', /Your turn/],
  ['/traders?list=blocked', /Blocked/],
  ['/reputationScore', /You didn’t pay in time/],
  ['/priceRecord', /Show as a table/],
  ['/helpList', /How disputes are resolved/],
  ['/helpDetail?id=disputes', /Decided within 24 hours/],
  ['/helpDetail?id=order-record', /Our public keys/],
  ['/nowhere', /Page not found/],
]

/** One screen of each route. */
export const ROUTES: readonly string[] = [
  ...new Map(SCREENS.map(([path]) => [path.split('?')[0], path])).values(),
]

/** Screens that move money, which are also checked in a second language. */
export const MONEY = SCREENS.filter(([path]) =>
  /^\/(appeal|buySell|creating|myAdvert|orderDetail|fundRecord|nft|personalCenter|updateReceivingAddress)\b/.test(
    path,
  ),
)

export interface Visitor {
  theme: 'dark' | 'light'
  language: 'en' | 'zh_CN'
}

/** Visits screens one after another in one browser, so that the code loads once. */
export async function visitScreens(
  { page, context }: { page: Page; context: BrowserContext },
  screens: typeof SCREENS,
  { theme, language }: Visitor,
  look: (path: string) => Promise<void>,
) {
  const url = 'http://127.0.0.1'
  const size = page.viewportSize()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await context.addInitScript((shown) => localStorage.setItem('theme', shown), theme)
  await context.addCookies([{ name: 'me_lang', value: language, url }])
  for (const [path, shows, needsSession] of screens) {
    await test.step(path, async () => {
      if (needsSession === false) await context.clearCookies({ name: 'MEC2C-token' })
      else await signIn(context)
      if (size !== null) await page.setViewportSize(size)
      await page.goto(path)
      if (language === 'en') await expect.soft(page.getByText(shows).first(), path).toBeVisible()
      await expect(page.locator('main').getByText(/\S/).filter({ visible: true }).first()).toBeVisible()
      await expect(page.locator('.animate-sheen')).toHaveCount(0)
      await look(path)
      expect.soft(errors, path).toEqual([])
    })
  }
}
