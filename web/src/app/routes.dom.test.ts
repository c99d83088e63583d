import { expect, test } from 'vitest'
import { findRoute, KEEP_ALIVE_ROUTES, MENU_ROUTES, ROUTES, TAB_ROUTES } from './routes'

const paths = (rows: readonly { path: string }[]) => rows.map((row) => row.path)

test('every route of the specification, and those of our own, exist exactly once', () => {
  expect(paths(ROUTES).toSorted()).toEqual(
    [
      ...[
        '/',
        '/filters',
        '/adMatching',
        '/login',
        '/register',
        '/forgot',
        '/forgotPassword',
        '/resetPassword',
      ],
      ...['/buySell', '/personalCenter', '/reputationScore', '/fundRecord', '/fundRecordDetails', '/publish'],
      ...[
        '/creating',
        '/creatingOther',
        '/myAdvert',
        '/order',
        '/orderDetail',
        '/paymentMethod',
        '/creatingPayment',
      ],
      ...['/chat', '/appeal', '/updateEmail', '/updateRemark', '/updatePassword', '/updateSecurityPassword'],
      ...['/updateReceivingAddress', '/helpList', '/helpDetail', '/transactionNotice', '/priceRecord'],
      ...[
        '/systemMaintenance',
        '/nft/purchaseOrder',
        '/nft/list',
        '/certification',
        '/sessions',
        '/boundAddress',
      ],
      ...['/trader', '/traders', '/notifications', '/notificationSettings', '/automaticReply'],
      ...['/appeals', '/recharge'],
    ].toSorted(),
  )
})

test('only these routes are reachable without a session', () => {
  const open = ROUTES.filter((row) => row.guard === 'public')
  expect(paths(open).toSorted()).toEqual(
    [
      '/forgot',
      '/forgotPassword',
      '/helpDetail',
      '/login',
      '/register',
      '/resetPassword',
      '/systemMaintenance',
    ].toSorted(),
  )
})

test('the bottom navigation is shown on the routes of the specification', () => {
  expect(paths(ROUTES.filter((row) => row.nav)).toSorted()).toEqual(
    [
      ...['/', '/publish', '/myAdvert', '/order', '/personalCenter', '/fundRecord', '/helpList', '/buySell'],
      ...['/priceRecord', '/creating', '/creatingOther', '/orderDetail', '/appeal', '/reputationScore'],
      ...['/updateReceivingAddress', '/updateEmail', '/updatePassword'],
    ].toSorted(),
  )
  expect(paths(TAB_ROUTES)).toEqual(['/', '/publish', '/myAdvert', '/order'])
})

test('the menu has the order of the specification, with the chats after the orders', () => {
  expect(paths(MENU_ROUTES)).toEqual([
    '/myAdvert',
    '/personalCenter',
    '/publish',
    '/order',
    '/chat',
    '/fundRecord',
    '/helpList',
  ])
})

test('keep-alive and back routes match the specification', () => {
  expect(paths(KEEP_ALIVE_ROUTES)).toEqual(['/', '/myAdvert', '/order'])
  expect(findRoute('/orderDetail')?.back).toBe('/order')
  expect(findRoute('/creating')?.back).toBe('/myAdvert')
  expect(findRoute('/login')?.back).toBe('hidden')
  expect(findRoute('/systemMaintenance')?.back).toBe('hidden')
})

test('a trailing slash is ignored, and an unknown path has no route', () => {
  expect(findRoute('/order/')?.path).toBe('/order')
  expect(findRoute('/orders')).toBeNull()
})
