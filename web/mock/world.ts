import type {
  Advert,
  Balance,
  Coin,
  CoinConfig,
  Country,
  Deposit,
  FundRecord,
  HallAdvert,
  MarketOverview,
  MarketStats,
  MethodField,
  MethodForm,
  Order,
  OrderAction,
  OrderState,
  OrderStep,
  Pair,
  PaymentMethod,
  Trader,
  UserInfo,
} from '../src/api/types.ts'

const MINUTE = 60_000
export const at = (minutes: number) => new Date(Date.now() + minutes * MINUTE).toISOString()

export const ADDRESS = {
  custody: '0x4C6f1a2E9bD03f57A81c09De6B2f45A7731E90cD',
  bound: '0x91f3B07E6d2A54c8E19B03dF7a6C58e24B0d71Fa',
  receiving: '0x2Bd5e80F6C17a94E3b06D8f21A5c4709Ee3b91D6',
  buyer: '0x7aE94b1C03D26f58B9e07A41c6Df352b80E19C44',
  usdt: '0x55d398326f99059fF775485246999027B3197955',
}
const HASH = '0x8f3c1be2a64d907fe15b83c2d4a69f70b1e25d38c9a47f60e2b8d15c3f9a7e04'

function person(
  id: string,
  nickname: string,
  countryCode: string,
  marks: string,
  orders30d: number,
  rate: string,
): Trader {
  return {
    id,
    nickname,
    countryCode,
    certified: marks.includes('c'),
    verified: marks.includes('v'),
    fast: marks.includes('f'),
    stats: { orders30d, completionRate: rate, averageConfirmSeconds: marks.includes('f') ? 340 : 2100 },
  }
}

export const people: Trader[] = [
  person('u-1', 'MinhTrader', 'VN', 'cvf', 312, '0.986'),
  person('u-2', 'Sofia88', 'ES', 'cf', 1204, '0.997'),
  person('u-3', 'kaya', 'TR', 'cv', 87, '0.954'),
  person('u-4', 'BangkokDesk', 'TH', 'c', 45, '0.933'),
  person('u-5', 'LisbonOTC', 'PT', 'cf', 540, '0.991'),
  person('u-6', 'weichen', 'CN', 'v', 12, '1'),
]
const someone = (index: number): Trader =>
  people[index % people.length] ?? person('u-0', 'Nobody', 'US', '', 0, '0')

export const user: UserInfo = {
  id: 'u-me',
  email: 'maria@example.com',
  nickname: 'Maria7',
  nicknameChangeableAt: at(3 * 1440),
  remark: null,
  receivingAddress: ADDRESS.receiving,
  chainType: 'ERC20',
  boundAddress: ADDRESS.bound,
  custodyAddress: ADDRESS.custody,
  creditScore: 80,
  regionId: 'eu',
  countryCode: 'ES',
  kycLevel: 'advanced',
  certified: true,
  verified: false,
  fast: true,
  stats: { orders30d: 46, completionRate: '0.978', averageConfirmSeconds: 412 },
  volume30d: [],
  online: true,
  hasSecurityPassword: true,
  holdUntil: null,
  serverTime: at(0),
}

function pair(base: string, quote: string, last: string, extra: Partial<Pair> = {}): Pair {
  const low = (Number(last) * 0.9).toFixed(4)
  const high = (Number(last) * 1.1).toFixed(4)
  return {
    base,
    quote,
    on: true,
    priceDecimals: 4,
    priceMin: low,
    priceMax: high,
    orderMin: '10',
    orderMax: '50000',
    feeRate: '0.001',
    feeMinimum: '0.01',
    automatic: false,
    automaticChainType: null,
    windowMinutes: 30,
    windowMinutesMin: 10,
    windowMinutesMax: 60,
    chainTypes: [],
    methodTypes: ['bankCard', 'alipay', 'wechat'],
    lastPrice: last,
    ...extra,
  }
}

function coin(enShort: string, kind: Coin['kind'], assetScale: number, decimals: number): Coin {
  const chain = kind === 'fiat' ? { chainId: null, returnGas: '0' } : { chainId: 31337, returnGas: '0.01' }
  return { enShort, kind, assetScale, decimals, contract: kind === 'erc20' ? ADDRESS.usdt : null, ...chain }
}

export const config: CoinConfig = {
  coins: [
    coin('MEC', 'native', 8, 18),
    coin('USDT', 'erc20', 6, 6),
    coin('USD', 'fiat', 2, 2),
    coin('EUR', 'fiat', 2, 2),
    coin('VND', 'fiat', 0, 0),
    coin('CNY', 'fiat', 2, 2),
  ],
  pairs: [
    pair('MEC', 'USD', '0.4821'),
    pair('MEC', 'EUR', '0.4417'),
    pair('MEC', 'VND', '12250'),
    pair('MEC', 'USDT', '0.4818', { automatic: true, chainTypes: ['ERC20', 'TRC20'], methodTypes: [] }),
    pair('USDT', 'CNY', '7.24'),
  ],
  remarkMax: 100,
  chains: [
    { chainType: 'ERC20', name: 'MEC chain (ERC20)', automatic: true },
    { chainType: 'TRC20', name: 'Tron (TRC20)', automatic: false },
  ],
}

export const countries: Country[] = [
  { code: 'ES', abb2: 'ES', name: 'Spain', regionId: 'eu', currency: 'USD', enabled: true },
  { code: 'VN', abb2: 'VN', name: 'Vietnam', regionId: 'as', currency: 'USD', enabled: true },
  { code: 'TR', abb2: 'TR', name: 'Türkiye', regionId: 'eu', currency: 'USD', enabled: true },
  { code: 'TH', abb2: 'TH', name: 'Thailand', regionId: 'as', currency: 'USD', enabled: true },
  { code: 'CN', abb2: 'CN', name: 'China', regionId: 'as', currency: 'USD', enabled: true },
  { code: 'KR', abb2: 'KR', name: 'South Korea', regionId: 'as', currency: 'KRW', enabled: true },
]

export function market(base: string, quote: string): MarketStats {
  const last = config.pairs.find((one) => one.base === base && one.quote === quote)?.lastPrice ?? '1'
  const near = (factor: number) => (Number(last) * factor).toFixed(4)
  return {
    base,
    quote,
    latest: last,
    high24h: near(1.021),
    low24h: near(0.987),
    average24h: near(1.002),
    volume24h: '1284310.5521',
    turnover24h: '619201.02',
    changeToday: '0.0124',
    spark: Array.from({ length: 24 }, (_, hour) => near(1 + Math.sin(hour / 3.1) * 0.011 + hour * 0.0006)),
  }
}

export function hallAdverts(side: 'BUY' | 'SELL', base: string, quote: string): HallAdvert[] {
  const last = Number(config.pairs.find((one) => one.base === base && one.quote === quote)?.lastPrice ?? '1')
  const methods = [['bankCard', 'alipay'], ['bankCard'], ['wechat', 'alipay', 'bankCard'], ['alipay']]
  return Array.from({ length: 26 }, (_, index) => ({
    id: `a-${side}-${base}-${quote}-${index}`,
    version: 1,
    side,
    kind: quote === 'USDT' && index % 2 === 0 ? ('AUTOMATIC' as const) : ('MANUAL' as const),
    base,
    quote,
    price: (last * (side === 'SELL' ? 1 + index * 0.0015 : 1 - index * 0.0015)).toFixed(4),
    remaining: (4321.12345678 / (index + 1)).toFixed(8),
    orderMin: '10',
    // No more than is left of it.
    orderMax: String(Math.min(2500 + index * 100, Math.floor((4321 / (index + 1)) * last * 0.96))),
    methodTypes: quote === 'USDT' ? [] : (methods[index % methods.length] ?? []),
    methods: (quote === 'USDT' ? [] : (methods[index % methods.length] ?? [])).map((type) => ({
      id: `m-${type}`,
      type,
    })),
    remark: index % 3 === 0 ? 'Bank transfers only from an account in your own name.' : null,
    windowMinutes: 30,
    advertiser: someone(index),
    mine: false,
  }))
}

export function overview(): MarketOverview {
  return {
    completedTrades: 12_408,
    pairs: config.pairs.slice(0, 4).map(({ base, quote, lastPrice }, index) => {
      const [best] = index === 3 ? [] : hallAdverts('SELL', base, quote)
      return {
        base,
        quote,
        latest: lastPrice,
        adverts: best === undefined ? 0 : 26,
        best:
          best === undefined
            ? null
            : { id: best.id, price: best.price, remaining: best.remaining, advertiser: best.advertiser },
      }
    }),
  }
}

function formField(name: string, more: Partial<MethodField> = {}): MethodField {
  return {
    name,
    required: true,
    maxLength: 100,
    kind: 'text',
    secret: false,
    pattern: null,
    example: null,
    currencies: null,
    ...more,
  }
}

export const forms: MethodForm[] = [
  {
    type: 'bankCard',
    currencies: ['USD', 'EUR', 'VND', 'CNY', 'KRW', 'ARS'],
    fields: [
      formField('name'),
      formField('account'),
      formField('bankName'),
      formField('branch', { required: false }),
      formField('iban', {
        required: false,
        kind: 'iban',
        pattern: '[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}',
        example: 'DE89 3704 0044 0532 0130 00',
        currencies: ['EUR'],
      }),
    ],
  },
  {
    type: 'alipay',
    currencies: ['CNY', 'USD'],
    fields: [
      formField('name'),
      formField('account'),
      formField('qrCode', { required: false, kind: 'picture' }),
    ],
  },
  { type: 'wechat', currencies: ['CNY'], fields: [formField('name'), formField('account')] },
  {
    type: 'toss',
    currencies: ['KRW'],
    fields: [
      formField('name'),
      formField('phone', {
        maxLength: 20,
        kind: 'phone',
        pattern: '([+]?82|0)1[0-9]{8,9}',
        example: '010-1234-5678',
      }),
    ],
  },
]

export const methods: PaymentMethod[] = [
  {
    id: 'm-1',
    type: 'bankCard',
    currency: 'USD',
    fields: { name: 'Maria Gonzalez', account: '6222020000001234', bankName: 'First Harbor Bank' },
    inUse: true,
  },
  {
    id: 'm-2',
    type: 'alipay',
    currency: 'CNY',
    fields: { name: 'Maria Gonzalez', account: 'maria@example.com' },
    inUse: false,
  },
]

function deposit(extra: Partial<Deposit> = {}): Deposit {
  return {
    address: ADDRESS.custody,
    chainId: 31337,
    asset: 'MEC',
    contract: null,
    decimals: 18,
    needed: '1000',
    received: '0',
    confirming: '0',
    shortfall: '1000',
    balance: '0',
    excess: '0',
    confirmations: null,
    transfers: [],
    deadline: at(27),
    ...extra,
  }
}

function advert(id: string, extra: Partial<Advert>): Advert {
  return {
    id,
    version: 1,
    state: 'ONLINE',
    frozen: false,
    side: 'SELL',
    kind: 'MANUAL',
    base: 'MEC',
    quote: 'USD',
    price: '0.4835',
    quantity: '1000',
    remaining: '740',
    inOrders: '100',
    orderMin: '10',
    orderMax: '357.79',
    orderable: true,
    methods: methods.slice(0, 1),
    receivingAddress: null,
    remark: null,
    windowMinutes: 30,
    runningOrders: 1,
    createdAt: at(-2880),
    endReason: null,
    deposit: null,
    payouts: [],
    actions: ['offline', 'revoke'],
    serverTime: at(0),
    ...extra,
  }
}

export const adverts: Advert[] = [
  advert('ad-1', {}),
  advert('ad-2', {
    state: 'CREATING',
    remaining: '1000',
    inOrders: '0',
    runningOrders: 0,
    createdAt: at(-3),
    actions: ['checkDeposit', 'cancel'],
    deposit: deposit(),
  }),
  advert('ad-3', {
    state: 'CREATING',
    quote: 'USDT',
    kind: 'AUTOMATIC',
    remaining: '1000',
    runningOrders: 0,
    inOrders: '0',
    methods: [],
    receivingAddress: ADDRESS.receiving,
    createdAt: at(-6),
    actions: ['checkDeposit', 'cancel'],
    deposit: deposit({
      received: '400',
      confirming: '350',
      shortfall: '250',
      balance: '120.5',
      confirmations: { seen: 1, needed: 3 },
      transfers: [
        { hash: HASH, amount: '350', confirmations: 1 },
        { hash: HASH.replace('8f', '1a'), amount: '400', confirmations: 9 },
      ],
    }),
  }),
  advert('ad-4', {
    state: 'OFFLINE',
    price: '0.4790',
    remaining: '55',
    runningOrders: 0,
    inOrders: '0',
    actions: ['online', 'revoke'],
  }),
  advert('ad-5', {
    state: 'REVOKING',
    remaining: '200',
    inOrders: '0',
    runningOrders: 0,
    actions: [],
    payouts: [
      {
        state: 'CONFIRMING',
        amount: '199.98',
        asset: 'MEC',
        to: ADDRESS.bound,
        hash: HASH,
        confirmations: { seen: 2, needed: 3 },
      },
    ],
  }),
  advert('ad-6', {
    state: 'CANCELLED',
    remaining: '0',
    inOrders: '0',
    runningOrders: 0,
    endReason: 'SOLD_OUT',
    actions: ['delete'],
  }),
]

const STEPS: OrderStep[] = [
  'BUYER_ACCEPTED',
  'SELLER_DEPOSITED',
  'BUYER_PAID',
  'SELLER_RECEIVED',
  'CHAIN_CONFIRMED',
]

function order(
  id: string,
  role: 'BUYER' | 'SELLER',
  state: OrderState,
  doneSteps: number,
  extra: Partial<Order> = {},
): Order {
  const action = (name: OrderAction['action'], creditCost = 0, securityCode = false): OrderAction => ({
    action: name,
    creditCost,
    usesFree: creditCost === 0 && (name === 'cancel' || name === 'askCancel'),
    securityCode,
  })
  const actions: Partial<Record<OrderState, OrderAction[]>> =
    role === 'BUYER'
      ? {
          AWAITING_ACCEPTANCE: [action('cancel')],
          AWAITING_PAYMENT: [action('pay'), action('cancel', 20)],
          AWAITING_CONFIRMATION: [action('cancel', 20, true)],
          RELEASE_REVOKED: [action('recover')],
        }
      : {
          AWAITING_ACCEPTANCE: [action('accept'), action('reject')],
          AWAITING_PAYMENT: [action('askCancel')],
          AWAITING_CONFIRMATION: [action('confirm', 0, true)],
          RELEASE_REVOKED: [action('recover')],
        }
  const ended = ['COMPLETED', 'CANCELLED', 'REJECTED'].includes(state)
  return {
    id,
    version: 3,
    state,
    overlay: null,
    role,
    kind: 'MANUAL',
    base: 'MEC',
    quote: 'USD',
    quantity: '100',
    price: '0.4835',
    total: '48.35',
    counterparty: someone(role === 'BUYER' ? 0 : 2),
    createdAt: at(-8),
    deadline: ended || state === 'RELEASING' || state === 'REFUNDING' ? null : at(14.53),
    overdue: false,
    covered: false,
    myTurn: (actions[state] ?? []).some((one) => ['accept', 'pay', 'confirm'].includes(one.action)),
    advertId: 'ad-1',
    advertiser: role === 'SELLER',
    fee: '0.1',
    feeAsset: 'MEC',
    receives: '99.9',
    receivingAddress: role === 'BUYER' ? ADDRESS.bound : ADDRESS.buyer,
    steps: STEPS.map((step, index) => ({
      step,
      at: index < doneSteps ? at(-8 + index * 2) : null,
      done: index < doneSteps,
    })),
    actions: actions[state] ?? [],
    graceUntil: null,
    money:
      state === 'COMPLETED' ? 'BUYER' : state === 'RELEASING' ? 'IN_FLIGHT' : ended ? 'RETURNED' : 'ESCROW',
    payTo: state === 'AWAITING_ACCEPTANCE' ? null : (methods[0] ?? null),
    payerNames:
      role === 'BUYER' || state === 'AWAITING_ACCEPTANCE' || ended ? [] : ['Kaya Demir', 'Kaya A. Demir'],
    payToAddress: null,
    deposit: null,
    payment:
      doneSteps > 2
        ? { methodId: 'm-1', reference: 'TX 48.35 / 0091', hash: null, receipts: [], at: at(-2) }
        : null,
    paymentSeen: null,
    payouts:
      state === 'RELEASING' || state === 'COMPLETED'
        ? [
            {
              state: state === 'COMPLETED' ? 'CONFIRMED' : 'CONFIRMING',
              amount: '99.9',
              asset: 'MEC',
              to: role === 'BUYER' ? ADDRESS.bound : ADDRESS.buyer,
              hash: HASH,
              confirmations: { seen: state === 'COMPLETED' ? 3 : 1, needed: 3 },
            },
          ]
        : [],
    cancelAskedBy: null,
    endReason: state === 'CANCELLED' ? 'PAYMENT_OVERDUE' : null,
    serverTime: at(0),
    ...extra,
  }
}

export const orders: Order[] = [
  order('o-pay', 'BUYER', 'AWAITING_PAYMENT', 2),
  order('o-accept', 'SELLER', 'AWAITING_ACCEPTANCE', 0, { deadline: at(4.2) }),
  order('o-confirm', 'SELLER', 'AWAITING_CONFIRMATION', 3, { deadline: at(1.6) }),
  order('o-wait', 'BUYER', 'AWAITING_CONFIRMATION', 3),
  order('o-release', 'BUYER', 'RELEASING', 4),
  order('o-auto', 'BUYER', 'AWAITING_PAYMENT', 2, {
    kind: 'AUTOMATIC',
    quote: 'USDT',
    price: '0.4818',
    total: '48.18',
    payTo: null,
    payerNames: [],
    actions: [
      { action: 'checkDeposit', creditCost: 0, usesFree: false, securityCode: false },
      { action: 'cancel', creditCost: 0, usesFree: true, securityCode: false },
    ],
    deposit: deposit({
      asset: 'USDT',
      contract: ADDRESS.usdt,
      decimals: 6,
      needed: '48.18',
      shortfall: '48.18',
      balance: '60',
      deadline: at(14),
    }),
  }),
  order('o-usdt', 'BUYER', 'AWAITING_PAYMENT', 2, {
    quote: 'USDT',
    price: '0.4818',
    total: '48.18',
    payTo: null,
    payerNames: [],
    payToAddress: {
      address: ADDRESS.receiving,
      chainType: 'ERC20',
      asset: 'USDT',
      amount: '48.18',
    },
  }),
  order('o-arrived', 'BUYER', 'AWAITING_PAYMENT', 2, {
    kind: 'AUTOMATIC',
    quote: 'USDT',
    price: '0.4818',
    total: '48.18',
    payTo: null,
    payerNames: [],
    covered: true,
    myTurn: false,
    deadline: at(-3),
    actions: [{ action: 'checkDeposit', creditCost: 0, usesFree: false, securityCode: false }],
    deposit: deposit({
      asset: 'USDT',
      contract: ADDRESS.usdt,
      decimals: 6,
      needed: '48.18',
      confirming: '48.18',
      shortfall: '0',
      confirmations: { seen: 1, needed: 3 },
      transfers: [{ hash: HASH, amount: '48.18', confirmations: 1 }],
      deadline: at(-3),
    }),
  }),
  order('o-late', 'BUYER', 'AWAITING_CONFIRMATION', 3, { overdue: true, deadline: at(-20) }),
  order('o-late-seller', 'SELLER', 'AWAITING_CONFIRMATION', 3, { overdue: true, deadline: at(-20) }),
  order('o-asked', 'BUYER', 'AWAITING_PAYMENT', 2, {
    cancelAskedBy: 'SELLER',
    actions: [
      { action: 'pay', creditCost: 0, usesFree: false, securityCode: false },
      { action: 'agreeCancel', creditCost: 0, usesFree: false, securityCode: false },
      { action: 'cancel', creditCost: 0, usesFree: true, securityCode: false },
    ],
  }),
  order('o-ask', 'SELLER', 'AWAITING_PAYMENT', 2),
  order('o-seen', 'SELLER', 'AWAITING_CONFIRMATION', 3, {
    quote: 'USDT',
    price: '0.4818',
    total: '48.18',
    payTo: null,
    payerNames: [],
    payToAddress: { address: ADDRESS.receiving, chainType: 'ERC20', asset: 'USDT', amount: '48.18' },
    paymentSeen: {
      chainId: 31337,
      index: 0,
      hash: HASH,
      from: ADDRESS.buyer,
      amount: '48.18',
      confirmations: { seen: 1, needed: 3 },
    },
  }),
  order('o-seen-buyer', 'BUYER', 'AWAITING_PAYMENT', 2, {
    quote: 'USDT',
    price: '0.4818',
    total: '48.18',
    payTo: null,
    payerNames: [],
    payToAddress: { address: ADDRESS.receiving, chainType: 'ERC20', asset: 'USDT', amount: '48.18' },
    paymentSeen: {
      chainId: 31337,
      index: 0,
      hash: HASH,
      from: ADDRESS.bound,
      amount: '48.18',
      confirmations: { seen: 3, needed: 3 },
    },
  }),
  order('o-left', 'BUYER', 'CANCELLED', 2, {
    kind: 'AUTOMATIC',
    quote: 'USDT',
    price: '0.4818',
    total: '48.18',
    payTo: null,
    payerNames: [],
  }),
  order('o-frozen', 'BUYER', 'AWAITING_PAYMENT', 2, { overlay: 'FROZEN' }),
  order('o-frozen-seller', 'SELLER', 'AWAITING_PAYMENT', 2, { overlay: 'FROZEN', actions: [] }),
  order('o-paying', 'BUYER', 'AWAITING_PAYMENT', 2),
  order('o-releasing', 'SELLER', 'AWAITING_CONFIRMATION', 3),
  order('o-done', 'SELLER', 'COMPLETED', 5),
  order('o-revoked', 'BUYER', 'RELEASE_REVOKED', 4),
  order('o-cancelled', 'BUYER', 'CANCELLED', 2),
  order('o-rejected', 'BUYER', 'REJECTED', 0),
]

export const balance: Balance = {
  custodyAddress: ADDRESS.custody,
  boundAddress: ADDRESS.bound,
  lines: [
    {
      asset: 'MEC',
      temporary: '12.5',
      debt: '0',
      inAdverts: '795',
      inOrders: '100',
      inFlight: '199.98',
      confirming: '350',
      withdrawable: false,
      arrives: null,
      blockedBy: 'adverts',
      gas: '0.02',
    },
    {
      asset: 'USDT',
      temporary: '21.5',
      debt: '0',
      inAdverts: '0',
      inOrders: '0',
      inFlight: '0',
      confirming: '0',
      withdrawable: false,
      arrives: null,
      blockedBy: null,
      gas: '0.1',
    },
  ],
  serverTime: at(0),
}

function fund(id: string, extra: Partial<FundRecord>): FundRecord {
  return {
    id,
    type: 'DEPOSIT',
    state: 'COMPLETED',
    direction: 'IN',
    redirected: false,
    asset: 'MEC',
    amount: '1000',
    effect: '1000',
    cost: '0',
    counterparty: null,
    hash: HASH,
    from: ADDRESS.bound,
    to: ADDRESS.custody,
    confirmations: { seen: 12, needed: 12 },
    orderId: null,
    advertId: 'ad-1',
    at: at(-90),
    ...extra,
  }
}

export const funds: FundRecord[] = [
  fund('f-1', {
    state: 'CONFIRMING',
    amount: '350',
    effect: '0',
    confirmations: { seen: 1, needed: 3 },
    at: at(-1),
  }),
  fund('f-2', {
    type: 'RETURN',
    state: 'IN_FLIGHT',
    direction: 'OUT',
    amount: '199.98',
    effect: '-200',
    cost: '0.02',
    from: ADDRESS.custody,
    to: ADDRESS.bound,
    at: at(-6),
  }),
  fund('f-3', {
    type: 'RELEASE',
    direction: 'OUT',
    amount: '99.9',
    effect: '-100',
    cost: '0.1',
    counterparty: { id: 'u-3', nickname: 'kaya' },
    from: ADDRESS.custody,
    to: ADDRESS.buyer,
    orderId: 'o-done',
    at: at(-40),
  }),
  fund('f-4', {}),
  fund('f-6', {
    type: 'RELEASE',
    direction: 'DIRECT',
    amount: '62.38',
    effect: '0',
    counterparty: { id: 'u-1', nickname: 'MinhTrader' },
    from: ADDRESS.buyer,
    to: ADDRESS.bound,
    orderId: 'o-wait',
    at: at(-400),
  }),
  fund('f-7', {
    type: 'PAYMENT',
    direction: 'OUT',
    asset: 'USDT',
    amount: '30.06',
    effect: '-30.06',
    counterparty: { id: 'u-1', nickname: 'MinhTrader' },
    from: ADDRESS.custody,
    to: ADDRESS.buyer,
    orderId: 'o-wait',
    at: at(-400),
  }),
  fund('f-5', {
    type: 'WITHDRAWAL',
    state: 'FAILED',
    direction: 'OUT',
    asset: 'USDT',
    amount: '20',
    effect: '-0.1',
    cost: '0.1',
    from: ADDRESS.custody,
    to: ADDRESS.bound,
    at: at(-5000),
  }),
]
