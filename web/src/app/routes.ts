import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { LucideIcon } from 'lucide-react'
import { CirclePlus, House, ListChecks, Megaphone } from 'lucide-react'
import type { ComponentType } from 'react'
import { loadCatalog } from '@/i18n/catalogs'

type Module = { default: ComponentType }

/** A screen: its code and texts, fetched together. */
export interface Page {
  load: () => Promise<Module>
}

function withTexts(catalogs: readonly string[], load: () => Promise<Module>): Page {
  return {
    load: async () => {
      const [module] = await Promise.all([load(), ...catalogs.map(loadCatalog)])
      return module
    },
  }
}

/** A screen that uses `src/components`, as all of them do but the login. */
function page(catalog: string | readonly string[], load: () => Promise<Module>): Page {
  return withTexts(['components', ...[catalog].flat()], load)
}

/** One route. Router, header, bottom navigation, menu and guard are all driven by this table. */
export interface RouteDefinition {
  path: string
  title: MessageDescriptor
  /** `session` requires a token and a user id. */
  guard: 'public' | 'session'
  /** The target of the back button: one step back, or a fixed path. `hidden` hides the button. */
  back:
    | 'step'
    | 'hidden'
    | '/'
    | '/login'
    | '/order'
    | '/myAdvert'
    | '/fundRecord'
    | '/paymentMethod'
    | '/personalCenter'
  /** Shows the bottom navigation. */
  nav?: true
  /** Fills the height of the screen, and scrolls within. */
  fill?: true
  /** Has two columns on a desktop. */
  wide?: true
  /** Has a table with details beside it on a desktop. */
  desk?: true
  /** Belongs to the personal center, whose list is beside it on a desktop, at this position or, with 0, not listed. */
  settings?: number
  /** Hides the floating order button. */
  noFloat?: true
  noMenu?: true
  /** Stays mounted, with its scroll position and input, while other screens are shown. */
  keep?: true
  /** The tab in the bottom navigation. */
  tab?: { label: MessageDescriptor; icon: LucideIcon }
  /** The position in the menu. */
  menu?: number
  /** Lets search engines index the route. */
  indexed?: true
  /** The screen. Without a screen, the route shows that it is not available yet. */
  page?: Page
}

const session = { guard: 'session', back: 'step' } as const
const open = { guard: 'public', back: 'step' } as const

/** The specification gives it two routes. */
const FORGOT = { ...open, title: msg`Forgot password`, back: '/login', noFloat: true, noMenu: true } as const
const forgotPage = page('identity', () => import('@/features/identity/ForgotPage'))

/** One screen with two routes; `advertEscrow` tells which of them an ad has. */
const CREATING = {
  ...session,
  title: msg`New ad`,
  back: '/myAdvert',
  nav: true,
  page: page(['adverts', 'ending', 'nft'], () => import('@/features/adverts/CreatingPage')),
} as const

/** One file for two screens, which share most of their parts. */
const filters = () => import('@/features/market/FiltersPage')

const TABLE = [
  {
    ...session,
    path: '/',
    title: msg`Trading hall`,
    back: 'hidden',
    nav: true,
    desk: true,
    keep: true,
    tab: { label: msg`Home`, icon: House },
    page: page('market', () => import('./HallScreen')),
  },
  {
    ...session,
    path: '/filters',
    title: msg`Filters`,
    page: page(['market', 'filters'], filters),
  },
  {
    ...session,
    path: '/adMatching',
    title: msg`Quick trade`,
    page: page(['market', 'filters', 'trading'], async () => ({
      default: (await filters()).MatchingPage,
    })),
  },
  {
    ...open,
    path: '/login',
    title: msg`Log in`,
    indexed: true,
    back: 'hidden',
    noFloat: true,
    noMenu: true,
    page: withTexts(['login'], () => import('@/features/identity/login/LoginPage')),
  },
  {
    ...open,
    path: '/register',
    title: msg`Create account`,
    back: '/login',
    noFloat: true,
    noMenu: true,
    page: page(['identity', 'pass'], () => import('@/features/identity/RegisterPage')),
  },
  { ...FORGOT, path: '/forgot', page: forgotPage },
  { ...FORGOT, path: '/forgotPassword', page: forgotPage },
  {
    ...open,
    path: '/resetPassword',
    title: msg`Reset password`,
    noMenu: true,
    page: page(['identity', 'pass'], () => import('@/features/identity/ResetPasswordPage')),
  },
  {
    ...session,
    path: '/buySell',
    title: msg`Place an order`,
    nav: true,
    page: page(['ordering', 'ending', 'trading'], () => import('@/features/ordering/BuySellPage')),
  },
  {
    ...session,
    path: '/personalCenter',
    title: msg`Personal center`,
    settings: 1,
    nav: true,
    menu: 2,
    page: page(['identity', 'ending'], () => import('@/features/identity/PersonalCenterPage')),
  },
  {
    ...session,
    path: '/certification',
    title: msg`Certification`,
    settings: 11,
    page: page('identity', () => import('@/features/identity/CertificationPage')),
  },
  {
    ...session,
    path: '/reputationScore',
    title: msg`Credit score`,
    settings: 10,
    nav: true,
    page: page('identity', () => import('@/features/identity/ReputationScorePage')),
  },
  {
    ...session,
    path: '/fundRecord',
    title: msg`Fund records`,
    settings: 15,
    nav: true,
    menu: 6,
    page: page(['wallet', 'ending', 'nft'], () => import('@/features/wallet/FundRecordPage')),
  },
  {
    ...session,
    path: '/fundRecordDetails',
    title: msg`Fund record`,
    settings: 0,
    back: '/fundRecord',
    page: page(['wallet', 'nft'], () => import('@/features/wallet/FundRecordDetailsPage')),
  },
  {
    ...session,
    path: '/publish',
    title: msg`Post an ad`,
    nav: true,
    menu: 3,
    tab: { label: msg`Publish`, icon: CirclePlus },
    page: page(['adverts', 'trading', 'nft'], () => import('@/features/adverts/PublishPage')),
  },
  { ...CREATING, path: '/creating' },
  { ...CREATING, path: '/creatingOther' },
  {
    ...session,
    path: '/myAdvert',
    title: msg`My ads`,
    back: '/',
    nav: true,
    desk: true,
    keep: true,
    menu: 1,
    tab: { label: msg`My ads`, icon: Megaphone },
    page: page(['adverts', 'ending', 'trading'], () => import('@/features/adverts/MyAdvertPage')),
  },
  {
    ...session,
    path: '/order',
    title: msg`Orders`,
    back: '/',
    nav: true,
    desk: true,
    keep: true,
    noFloat: true,
    menu: 4,
    tab: { label: msg`Orders`, icon: ListChecks },
    page: page('orders', () => import('./OrdersScreen')),
  },
  {
    ...session,
    path: '/orderDetail',
    title: msg`Order`,
    back: '/order',
    nav: true,
    noFloat: true,
    wide: true,
    page: page(['orders', 'ending', 'methods'], () => import('./OrderScreen')),
  },
  {
    ...session,
    path: '/paymentMethod',
    title: msg`Payment methods`,
    settings: 9,
    page: page(['payment-methods', 'methods'], () => import('@/features/payment-methods/PaymentMethodPage')),
  },
  {
    ...session,
    path: '/creatingPayment',
    title: msg`Payment method`,
    settings: 0,
    back: '/paymentMethod',
    page: page(
      ['payment-methods', 'methods'],
      () => import('@/features/payment-methods/CreatingPaymentPage'),
    ),
  },
  {
    ...session,
    path: '/chat',
    title: msg`Chat`,
    noFloat: true,
    fill: true,
    menu: 5,
    page: page(['talk', 'notices', 'orders'], () => import('./ChatScreen')),
  },
  {
    ...session,
    path: '/appeal',
    title: msg`Appeal`,
    nav: true,
    page: page(['appeals', 'ending'], () => import('@/features/appeals/AppealPage')),
  },
  {
    ...session,
    path: '/updateEmail',
    title: msg`Change email`,
    settings: 3,
    nav: true,
    page: page('identity', () => import('@/features/identity/UpdateEmailPage')),
  },
  {
    ...session,
    path: '/updateRemark',
    title: msg`About you`,
    settings: 2,
    page: page('identity', () => import('@/features/identity/UpdateRemarkPage')),
  },
  {
    ...session,
    path: '/automaticReply',
    title: msg`Automatic reply`,
    settings: 16,
    page: page('identity', () => import('@/features/identity/AutomaticReplyPage')),
  },
  {
    ...session,
    path: '/trader',
    title: msg`Trader`,
    page: page('traders', () => import('@/features/traders/TraderPage')),
  },
  {
    ...session,
    path: '/traders',
    title: msg`Traders`,
    back: '/personalCenter',
    settings: 13,
    page: page('traders', () => import('@/features/traders/TraderListPage')),
  },
  {
    ...session,
    path: '/notifications',
    title: msg`Notifications`,
    page: page(['notifications', 'notices'], () => import('@/features/notifications/NotificationsPage')),
  },
  {
    ...session,
    path: '/notificationSettings',
    title: msg`Notification settings`,
    back: '/personalCenter',
    settings: 18,
    page: page('notifications', () => import('@/features/notifications/NotificationSettingsPage')),
  },
  {
    ...session,
    path: '/updatePassword',
    title: msg`Change password`,
    settings: 4,
    nav: true,
    page: page('identity', () => import('@/features/identity/UpdatePasswordPage')),
  },
  {
    ...session,
    path: '/boundAddress',
    title: msg`Bound address`,
    settings: 7,
    page: page(['identity', 'pass'], () => import('@/features/identity/BoundAddressPage')),
  },
  {
    ...session,
    path: '/sessions',
    title: msg`Devices`,
    settings: 8,
    page: page('identity', () => import('@/features/identity/SessionsPage')),
  },
  {
    ...session,
    path: '/updateSecurityPassword',
    title: msg`Security password`,
    settings: 5,
    page: page('identity', () => import('@/features/identity/SecurityPasswordPage')),
  },
  {
    ...session,
    path: '/updateReceivingAddress',
    title: msg`USDT receiving address`,
    settings: 6,
    nav: true,
    page: page('identity', () => import('@/features/identity/ReceivingAddressPage')),
  },
  {
    ...session,
    path: '/helpList',
    title: msg`Help`,
    nav: true,
    menu: 7,
    page: page('help', () => import('@/features/help/HelpListPage')),
  },
  {
    ...open,
    path: '/helpDetail',
    title: msg`Help`,
    indexed: true,
    page: page('help', () => import('@/features/help/HelpDetailPage')),
  },
  { ...session, path: '/transactionNotice', title: msg`Trading notice` },
  {
    ...session,
    path: '/priceRecord',
    title: msg`Price history`,
    nav: true,
    page: page('prices', () => import('@/features/prices/PriceRecordPage')),
  },
  {
    ...open,
    path: '/systemMaintenance',
    title: msg`Maintenance`,
    back: 'hidden',
    noFloat: true,
    noMenu: true,
    page: { load: () => import('./MaintenancePage') },
  },
  {
    ...session,
    path: '/appeals',
    title: msg`Appeals`,
    settings: 12,
    page: page('appeals', () => import('@/features/appeals/AppealsPage')),
  },
  {
    ...session,
    path: '/recharge',
    title: msg`Deposit`,
    settings: 14,
    page: page(['wallet', 'ending'], () => import('@/features/wallet/RechargePage')),
  },
  {
    ...session,
    path: '/nft/list',
    title: msg`My NFTs`,
    settings: 17,
    page: page(['wallet', 'nft'], () => import('@/features/wallet/MyNftsPage')),
  },
  {
    ...session,
    path: '/nft/purchaseOrder',
    title: msg`NFT`,
    wide: true,
    page: page(['ordering', 'ending', 'trading', 'nft'], () => import('@/features/ordering/NftPurchasePage')),
  },
] as const satisfies readonly RouteDefinition[]

export type AppPath = (typeof TABLE)[number]['path']

export type AppRoute = RouteDefinition & { path: AppPath }

export const ROUTES: readonly AppRoute[] = TABLE

const BY_PATH = new Map<string, AppRoute>(ROUTES.map((row) => [row.path, row]))

export function findRoute(pathname: string): AppRoute | null {
  const trimmed = pathname.length > 1 ? pathname.replace(/\/+$/, '') : pathname
  return BY_PATH.get(trimmed) ?? null
}

export const TAB_ROUTES: readonly AppRoute[] = ROUTES.filter((row) => row.tab !== undefined)

export const MENU_ROUTES: readonly AppRoute[] = ROUTES.filter((row) => row.menu !== undefined).toSorted(
  (a, b) => (a.menu ?? 0) - (b.menu ?? 0),
)

export const SETTINGS_ROUTES: readonly AppRoute[] = ROUTES.filter(
  (row) => row.settings !== undefined && row.settings > 0,
).toSorted((a, b) => (a.settings ?? 0) - (b.settings ?? 0))

export const KEEP_ALIVE_ROUTES: readonly AppRoute[] = ROUTES.filter((row) => row.keep === true)
