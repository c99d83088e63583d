/**
 * The calls as the screens read them: the generated `schema.d.ts` with its texts narrowed to the names that may
 * come. `contract.ts` fails to compile when the two disagree. Amounts and prices are decimal strings, times
 * ISO 8601 UTC, ids opaque strings.
 */
import type { Envelope, Page } from './envelope'

export type Decimal = string
export type Time = string
export type Id = string

// ---------- account and session ----------

/** RSA-OAEP-256 key for passwords. What is encrypted is JSON: `{"secret": "...", "nonce": "..."}`. */
export interface SecretKey {
  keyId: string
  /** SubjectPublicKeyInfo, base64 or PEM. */
  publicKey: string
  nonce: string
  expiresAt: Time
}
/** base64 of the ciphertext, and the key it was made with. */
export interface Sealed {
  keyId: string
  cipher: string
}
export interface SlideChallenge {
  id: Id
  /** data: URLs, or same-origin addresses, of PNG pictures. */
  background: string
  piece: string
  width: number
  height: number
  pieceWidth: number
  /** Where the piece sits vertically, in picture pixels. */
  pieceY: number
  /** Proof of work: the number (at most `most`) whose decimal text behind `salt` has this SHA-256, in hexadecimal. */
  salt: string
  hash: string
  most: number
  expiresAt: Time
}
export interface SlideAnswer {
  id: Id
  /** Where the piece was left, in picture pixels. */
  x: number
  /** Points of the movement: milliseconds since its start, x in picture pixels. */
  trail: { t: number; x: number }[]
  /** The number of the proof of work. */
  number: number
}
export interface SessionData {
  token: string
  userId: Id
  expiresAt: Time
}
/** A pass challenge: what the QR holds, or where to go on a phone that has the app. */
export interface PassChallenge {
  id: Id
  qrCodeUrl: string
  /** The same challenge by redirect. */
  authorizeUrl: string
  expiresAt: Time
}
export interface PassResult {
  /** `true`: `session` is set and the person is logged in. `false`: go on to register with `ticket`. */
  registered: boolean
  session: SessionData | null
  /** Names the proven statement in /user/register; used once. */
  ticket: string | null
  meId: string
  boundAddress: string
  regionId: string
  kycLevel: 'none' | 'basic' | 'advanced'
}
export interface RegisterBody {
  ticket: string
  email: string
  emailCode: string
  password: Sealed
  receivingAddress: string
  chainType: string
  termsAccepted: true
}
export interface UserInfo {
  id: Id
  email: string
  nickname: string | null
  nicknameChangeableAt: Time | null
  remark: string | null
  receivingAddress: string | null
  chainType: string | null
  boundAddress: string | null
  /** MEC-chain address that takes this user's deposits. */
  custodyAddress: string
  creditScore: number
  regionId: string
  countryCode: string
  kycLevel: 'none' | 'basic' | 'advanced'
  certified: boolean
  verified: boolean
  fast: boolean
  stats: TraderStats
  online: boolean
  hasSecurityPassword: boolean
  /** Until then no withdrawal, ad or order: something about the account changed. */
  holdUntil: Time | null
  serverTime: Time
}
export interface TraderStats {
  orders30d: number
  /** 0..1, decimal string; null without orders. */
  completionRate: Decimal | null
  averageConfirmSeconds: number | null
}
export interface UpdateInfoBody {
  nickname?: string
  remark?: string
  receivingAddress?: string
  chainType?: string
  /** Set or change the security password. `oldSecurityPassword` when there is one. */
  securityPassword?: Sealed
  oldSecurityPassword?: Sealed
  emailCode?: string
}

// ---------- reference data ----------

export interface Coin {
  enShort: string
  kind: 'native' | 'erc20' | 'erc721' | 'fiat'
  /** Decimals of an amount on screen and in a command. */
  assetScale: number
}
export interface Pair {
  base: string
  quote: string
  on: boolean
  /** Bounds of a unit price now; null without a bound. */
  priceMin: Decimal | null
  priceMax: Decimal | null
  /** Limits of one order, in the quote. */
  orderMin: Decimal
  orderMax: Decimal
  /** 0.001 is 0.1 %. */
  feeRate: Decimal
  feeMinimum: Decimal
  automatic: boolean
  /** Chain types a receiving address may have for this pair; empty for fiat. */
  chainTypes: string[]
  /** Types of payment method for a fiat quote; empty else. */
  methodTypes: string[]
  lastPrice: Decimal | null
}
export interface CoinConfig {
  coins: Coin[]
  pairs: Pair[]
  chains: { chainType: string; name: string }[]
  /** Characters of an ad's remark. */
  remarkMax: number
}
export interface Country {
  code: string
  abb2: string
  name: string
  regionId: string
  currency: string
  enabled: boolean
}
export interface CreditSetting {
  /** Points that a cancellation after creation costs. */
  deduct: number
  /** Cancellations of a UTC day that cost nothing. */
  freePerDay: number
  /** Credit that posting an ad needs. */
  neededToPost: number
}

// ---------- market and adverts ----------

export interface Person {
  id: Id
  nickname: string
  countryCode: string
  certified: boolean
  verified: boolean
}
/** A person with what their last 30 days say. */
export interface Trader extends Person {
  fast: boolean
  stats: TraderStats
}
export type AdvertSide = 'BUY' | 'SELL'
export type AdvertKind = 'MANUAL' | 'AUTOMATIC'
/** `side` is the advertiser's: on a SELL ad a visitor buys. */
export interface HallAdvert {
  id: Id
  side: AdvertSide
  kind: AdvertKind
  base: string
  quote: string
  price: Decimal
  /** Base that can still be ordered. */
  remaining: Decimal
  /** Limits of one order, in the quote. */
  orderMin: Decimal
  orderMax: Decimal
  methodTypes: string[]
  /** The seller's methods, to choose one of; empty on a buy ad. */
  methods: { id: Id; type: string }[]
  remark: string | null
  windowMinutes: number
  advertiser: Trader
  /** One's own: not to be ordered from. */
  mine: boolean
}
export interface HallQuery {
  side: AdvertSide
  base: string
  quote: string
  amount?: Decimal
  method?: string
  region?: string
  certified?: boolean
  fast?: boolean
  sort?: 'price' | '-price' | 'quantity' | '-quantity'
  page: number
  size: number
}
export interface MarketStats {
  base: string
  quote: string
  latest: Decimal | null
  high24h: Decimal | null
  low24h: Decimal | null
  average24h: Decimal | null
  volume24h: Decimal
  turnover24h: Decimal
  /** Change since 0:00 UTC as a ratio, e.g. "-0.012". */
  changeToday: Decimal | null
  /** Hourly closes of the last day, oldest first, for a sparkline. */
  spark: Decimal[]
}
export type AdvertState = 'CREATING' | 'ONLINE' | 'OFFLINE' | 'REVOKING' | 'CANCELLED' | 'DELETED'
export type AdvertAction = 'checkDeposit' | 'online' | 'offline' | 'cancel' | 'revoke' | 'delete'
/** A deposit that a claim waits for. */
export interface Deposit {
  address: string
  chainId: number
  asset: string
  /** ERC-20 contract, null for the native coin. */
  contract: string | null
  decimals: number
  needed: Decimal
  /** Confirmed and offered balance already counted. */
  received: Decimal
  /** Seen in a block, not yet confirmed. */
  confirming: Decimal
  shortfall: Decimal
  /** Temporary balance of the coin that could be given to it. */
  balance: Decimal
  /** What arrived above the need, now temporary balance. */
  excess: Decimal
  confirmations: { seen: number; needed: number } | null
  transfers: { hash: string | null; amount: Decimal; confirmations: number }[]
  deadline: Time | null
}
export interface Advert {
  id: Id
  version: number
  state: AdvertState
  /** Part of its escrow left the chain: no new orders until it is back. */
  frozen: boolean
  side: AdvertSide
  kind: AdvertKind
  base: string
  quote: string
  price: Decimal
  quantity: Decimal
  remaining: Decimal
  /** Base in running orders. */
  inOrders: Decimal
  orderMin: Decimal
  orderMax: Decimal
  methods: UsedMethod[]
  receivingAddress: string | null
  remark: string | null
  windowMinutes: number
  runningOrders: number
  createdAt: Time
  endReason: 'EXPIRED' | 'OWNER_CANCELLED' | 'WRONG_DEPOSIT' | 'SOLD_OUT' | 'REVOKED' | null
  deposit: Deposit | null
  /** The return of what remained. */
  payouts: Payout[]
  actions: AdvertAction[]
  serverTime: Time
}
export interface CreateAdvertBody {
  side: AdvertSide
  kind: AdvertKind
  base: string
  quote: string
  price: Decimal
  quantity: Decimal
  orderMin: Decimal
  orderMax: Decimal
  paymentMethodIds?: Id[]
  windowMinutes?: number
  remark?: string
}

// ---------- orders ----------

export type OrderState =
  | 'AWAITING_ACCEPTANCE'
  | 'AWAITING_DEPOSIT'
  | 'AWAITING_PAYMENT'
  | 'AWAITING_CONFIRMATION'
  | 'RELEASING'
  | 'RELEASE_REVOKED'
  | 'REFUNDING'
  | 'COMPLETED'
  | 'CANCELLED'
  | 'REJECTED'
export type OrderStep =
  | 'BUYER_ACCEPTED'
  | 'SELLER_DEPOSITED'
  | 'BUYER_PAID'
  | 'SELLER_RECEIVED'
  | 'CHAIN_CONFIRMED'
export interface OrderAction {
  action:
    | 'accept'
    | 'reject'
    | 'cancel'
    /** Seller asks the buyer to agree to a cancellation, in AWAITING_PAYMENT. */
    | 'askCancel'
    | 'agreeCancel'
    | 'checkDeposit'
    | 'pay'
    | 'confirm'
    | 'recover'
  /** Points this costs me now, from the function that will charge it. */
  creditCost: number
  /** It would use up one of today's free cancellations; `askCancel`: if the buyer agrees. */
  usesFree: boolean
  securityCode: boolean
}
/** A payment method as an ad or an order shows it. */
export interface UsedMethod {
  id: Id
  type: string
  currency: string
  /** Values by field name. */
  fields: Record<string, string>
}
export interface Order {
  id: Id
  version: number
  state: OrderState
  /** A deposit is missing on the chain: do not pay. */
  overlay: 'UNDER_APPEAL' | 'FROZEN' | null
  /** Mine. */
  role: 'BUYER' | 'SELLER'
  advertiser: boolean
  kind: AdvertKind
  advertId: Id
  base: string
  quote: string
  quantity: Decimal
  price: Decimal
  total: Decimal
  fee: Decimal
  feeAsset: string
  /** What the buyer receives on the chain, after the fee. */
  receives: Decimal
  /** The buyer's bound address. */
  receivingAddress: string
  counterparty: Trader
  createdAt: Time
  deadline: Time | null
  overdue: boolean
  /** What was seen on the chain is all that the order waits for: the deadline is met, only blocks are waited for. */
  covered: boolean
  /** While somebody is late: when the order is cancelled for it. Null where the clock cancels nothing. */
  graceUntil: Time | null
  /** Something waits for me. */
  myTurn: boolean
  steps: { step: OrderStep; at: Time | null; done: boolean }[]
  actions: OrderAction[]
  /** Where the base is. */
  money: 'SELLER' | 'ESCROW' | 'IN_FLIGHT' | 'BUYER' | 'RETURNED'
  /** How the buyer pays in fiat, once it was accepted. */
  payTo: UsedMethod | null
  /** USDT quote: where to send it, once it was accepted. */
  payToAddress: { address: string; chainType: string; asset: string; amount: Decimal } | null
  /** A deposit that I must make (seller on a buy ad) or, automatic sell, the buyer's payment. */
  deposit: Deposit | null
  payment: {
    methodId: Id | null
    reference: string | null
    hash: string | null
    receipts: Id[]
    at: Time
  } | null
  /** A transfer from person to person that the chain shows and that fits this order. It releases nothing. */
  paymentSeen: SeenPayment | null
  /** The release or refund. */
  payouts: Payout[]
  cancelAskedBy: 'BUYER' | 'SELLER' | null
  endReason: CancelReason | null
  serverTime: Time
}
export interface SeenPayment {
  hash: string
  from: string
  amount: Decimal
  confirmations: { seen: number; needed: number }
}
export type CancelReason =
  | 'WITHDRAWN'
  | 'AGREED'
  | 'ACCEPTANCE_OVERDUE'
  | 'DEPOSIT_OVERDUE'
  | 'PAYMENT_OVERDUE'
  | 'CONFIRMATION_OVERDUE'
export interface Payout {
  state: 'PLANNED' | 'CONFIRMING' | 'CONFIRMED'
  amount: Decimal
  asset: string
  to: string
  hash: string | null
  confirmations: { seen: number; needed: number } | null
}
export interface CreateOrderBody {
  advertId: Id
  /** The unit price I saw; 5043 with the present one (`data.price`) when it changed. */
  price: Decimal
  quantity: Decimal
  paymentMethodId?: Id
}
export interface CancelTimes {
  /** Cancellations left today that cost nothing. */
  freeLeft: number
  freePerDay: number
  deduct: number
}

// ---------- payment methods ----------

/** The form of a type is data: what to ask, in which order. */
export interface MethodForm {
  type: string
  currencies: string[]
  fields: {
    name: string
    required: boolean
    maxLength: number
    kind: 'text' | 'number' | 'picture'
    secret: boolean
  }[]
}
export interface PaymentMethod {
  id: Id
  type: string
  currency: string
  /** Values by field name; account numbers masked unless I may see them. */
  fields: Record<string, string>
  /** An ad or an order uses it: neither editable nor deletable. */
  inUse: boolean
}
export interface PaymentMethodBody {
  type: string
  currency: string
  fields: Record<string, string>
}

// ---------- funds ----------

export interface BalanceLine {
  asset: string
  /** Temporary balance. */
  temporary: Decimal
  inAdverts: Decimal
  inOrders: Decimal
  inFlight: Decimal
  confirming: Decimal
  withdrawable: boolean
  /** What would arrive if all of it were withdrawn now. */
  arrives: Decimal | null
  /** Why it is not: adverts, orders, hold, dust, kyc, risk, stopped. */
  blockedBy: string | null
  /** Gas that a return costs. */
  gas: Decimal
}
export interface Balance {
  custodyAddress: string
  boundAddress: string | null
  lines: BalanceLine[]
  serverTime: Time
}
export type FundType = 'DEPOSIT' | 'WITHDRAWAL' | 'RELEASE' | 'REFUND' | 'RETURN'
export interface FundRecord {
  id: Id
  type: FundType
  state: 'CONFIRMING' | 'COMPLETED' | 'REQUESTED' | 'IN_FLIGHT' | 'FAILED' | 'REVOKED'
  /** `true`: towards me. */
  incoming: boolean
  asset: string
  amount: Decimal
  hash: string | null
  from: string | null
  to: string
  confirmations: { seen: number; needed: number } | null
  orderId: Id | null
  advertId: Id | null
  at: Time
}

// ---------- the calls, in the form the client reads ----------

interface Ok<T> {
  responses: { 200: { headers: Record<string, unknown>; content: { 'application/json': Envelope<T> } } }
}
interface None {
  query?: never
  header?: never
  path?: never
  cookie?: never
}
interface At<P> {
  query?: never
  header?: never
  path: P
  cookie?: never
}
interface Asks<Q> {
  query: Q
  header?: never
  path?: never
  cookie?: never
}
interface Get<T, P = None> extends Ok<T> {
  parameters: P
  requestBody?: never
}
interface Post<T, B, P = None> extends Ok<T> {
  parameters: P
  requestBody: { content: { 'application/json': B } }
}
/** A command that says everything in its address. */
interface Bare<T, P> extends Ok<T> {
  parameters: P
  requestBody?: never
}
interface Paging {
  page: number
  size: number
}
interface Versioned {
  version: number
}
type WithCode = Versioned & { securityCode?: Sealed }
type ById = At<{ id: Id }>
/** A command without content still sends an object. */
type Empty = Record<string, never>

export interface ExpectedPaths {
  '/user/secretKey': { get: Get<SecretKey> }
  '/slide': { get: Get<SlideChallenge> }
  '/slide/verify': { post: Post<{ token: string }, SlideAnswer> }
  '/user/login': { post: Post<SessionData, { email: string; password: Sealed; slideToken: string }> }
  '/logout': { post: Post<null, Empty> }
  '/user/register': { post: Post<SessionData, RegisterBody> }
  '/user/updateInfo': { post: Post<UserInfo, UpdateInfoBody> }
  '/user/info/{id}': { get: Get<UserInfo, ById> }
  '/user/hasSecurityCode': { get: Get<{ has: boolean }> }
  '/scan/genQrCodeUrl/{id}': {
    get: Get<
      PassChallenge,
      {
        query: { purpose: 'login' | 'register'; returnTo?: string }
        header?: never
        path: { id: Id }
        cookie?: never
      }
    >
  }
  '/scan/result/{id}': { get: Get<PassResult, ById> }
  '/email/send': {
    post: Post<
      { resendAt: Time },
      { email: string; purpose: 'register' | 'reset' | 'security'; slideToken?: string }
    >
  }
  '/email/verify': {
    post: Post<
      { valid: boolean },
      { email: string; purpose: 'register' | 'reset' | 'security'; code: string }
    >
  }

  '/common/coin': { get: Get<Coin[]> }
  '/c2c/coin/config': { get: Get<CoinConfig> }
  '/common/country/all': { get: Get<Country[]> }
  '/common/credit/setting': { get: Get<CreditSetting[]> }

  '/market/stats': { get: Get<MarketStats, Asks<{ base: string; quote: string }>> }
  '/c2c/advert/online': {
    get: Get<{ online: boolean }>
    post: Bare<{ online: boolean }, Asks<{ online: boolean }>>
  }
  '/c2c/advert/page': { get: Get<Page<HallAdvert>, Asks<HallQuery>> }
  '/c2c/advert/create': { post: Post<Advert, CreateAdvertBody> }
  '/c2c/advert/pageByUser': { get: Get<Page<Advert>, Asks<Paging & { states?: string }>> }
  '/c2c/advert/{id}': { get: Get<Advert, ById> }
  /** Public face of somebody's ad, for the buy page. */
  '/c2c/advert/hall/{id}': { get: Get<HallAdvert, ById> }
  '/c2c/advert/cancel/{id}': { post: Post<Advert, Versioned, ById> }
  '/c2c/advert/deposit/{id}': { post: Post<Advert, { fromBalance?: Decimal; securityCode?: Sealed }, ById> }
  '/c2c/advert/switch/{id}': { post: Post<Advert, Versioned & { online: boolean }, ById> }
  '/c2c/advert/delete/{id}': { post: Post<Advert, Versioned, ById> }

  '/c2c/deal/order': { post: Post<Order, CreateOrderBody> }
  '/c2c/deal/order/page': {
    get: Get<Page<Order>, Asks<Paging & { finish?: boolean }>>
  }
  '/c2c/deal/order/{id}': { get: Get<Order, ById> }
  '/c2c/deal/order/take/{id}': { post: Post<Order, Versioned, ById> }
  /** Also the advertiser's rejection, in AWAITING_ACCEPTANCE. */
  '/c2c/deal/order/cancel/{id}': { post: Post<Order, WithCode, ById> }
  '/c2c/deal/order/confirm/{id}': { post: Post<Order, WithCode, ById> }
  '/c2c/deal/order/pay/{id}': {
    post: Post<Order, Versioned & { methodId?: Id; reference?: string; hash?: string }, ById>
  }
  '/c2c/deal/order/recover/{id}': { post: Post<Order, Versioned, ById> }
  '/c2c/deal/order/deposit/{id}': {
    post: Post<Order, { fromBalance?: Decimal; securityCode?: Sealed }, ById>
  }
  '/c2c/deal/order/askCancel/{id}': { post: Post<Order, Versioned, ById> }
  '/c2c/deal/order/agreeCancel/{id}': { post: Post<Order, Versioned, ById> }
  '/c2c/deal/order/updateRead': { post: Bare<null, Asks<{ id: Id }>> }
  '/c2c/deal/order/cancel/times': { get: Get<CancelTimes> }

  '/payment/method/forms': { get: Get<MethodForm[]> }
  '/payment/method/list': { get: Get<PaymentMethod[]> }
  '/payment/method': { post: Post<PaymentMethod, PaymentMethodBody> }
  '/payment/method/{id}': {
    get: Get<PaymentMethod, ById>
    post: Post<PaymentMethod, PaymentMethodBody, ById>
  }
  '/payment/method/delete/{id}': { post: Post<null, Empty, ById> }

  '/balance': { get: Get<Balance> }
  '/balance/detail': { get: Get<Page<FundRecord>, Asks<Paging & { type?: FundType; asset?: string }>> }
  '/balance/record/{id}': { get: Get<FundRecord, ById> }
  '/balance/extract': { post: Post<{ id: Id }, { asset: string; securityCode: Sealed }> }
}
