import { expect, test } from 'vitest'
import { KEPT, MENU, ROUTES, rowFor, TABS } from './routes'

const paths = (rows: readonly { path: string }[]) => rows.map((row) => row.path)

test('every route of the specification is there, once', () => {
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
      ...['/systemMaintenance', '/nft/purchaseOrder'],
    ].toSorted(),
  )
})

test('without a session one reaches these and no others', () => {
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

test('the bottom navigation shows where the specification says', () => {
  expect(paths(ROUTES.filter((row) => row.nav)).toSorted()).toEqual(
    [
      ...['/', '/publish', '/myAdvert', '/order', '/personalCenter', '/fundRecord', '/helpList', '/buySell'],
      ...['/priceRecord', '/creating', '/creatingOther', '/orderDetail', '/appeal', '/reputationScore'],
      ...['/updateReceivingAddress', '/updateEmail', '/updatePassword'],
    ].toSorted(),
  )
  expect(paths(TABS)).toEqual(['/', '/publish', '/myAdvert', '/order'])
})

test('the menu is in the order of the specification', () => {
  expect(paths(MENU)).toEqual([
    '/myAdvert',
    '/personalCenter',
    '/publish',
    '/order',
    '/fundRecord',
    '/helpList',
  ])
})

test('dark, kept and back as the specification says', () => {
  expect(paths(ROUTES.filter((row) => row.dark))).toEqual(['/', '/personalCenter', '/chat'])
  expect(paths(KEPT)).toEqual(['/', '/myAdvert', '/order'])
  expect(rowFor('/orderDetail')?.back).toBe('/order')
  expect(rowFor('/creating')?.back).toBe('/myAdvert')
  expect(rowFor('/login')?.back).toBe('hidden')
  expect(rowFor('/systemMaintenance')?.back).toBe('hidden')
})

test('a trailing slash is the same place, anything else is none', () => {
  expect(rowFor('/order/')?.path).toBe('/order')
  expect(rowFor('/orders')).toBeNull()
})
