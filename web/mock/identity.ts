import { createHash, generateKeyPairSync } from 'node:crypto'
import type { PassChallenge, SessionItem } from '../src/api/types.ts'
import { type Handlers, nextNumber, Refusal } from './operation.ts'
import { user } from './users.ts'
import { minutesFromNow } from './values.ts'

const svg = (inner: string, width: number, height: number) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${inner}</svg>`)}`

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const session = () => ({ token: 'mock-token', userId: user.id, expiresAt: minutesFromNow(10_080) })

const device = (id: string, browser: string | null, system: string | null, address: string) => ({
  id,
  browser,
  system,
  address,
  agent: browser ?? 'curl/8.14.1',
  openedAt: minutesFromNow(-60 * Number(id)),
  expiresAt: minutesFromNow(7 * 1440 - 60 * Number(id)),
  current: id === '1',
})

let sessions: SessionItem[] = [
  device('1', 'Chrome', 'Android', '203.0.113.7'),
  device('26', 'Firefox', 'Windows', '203.0.113.7'),
  device('70', null, null, '2001:db8:85a3:8d3:1319:8a2e:370:7348'),
]

let publicKey: string | undefined
function newPublicKey(): string {
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return pair.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
}

function challenge(path: string): PassChallenge {
  const number = nextNumber()
  const back = new URLSearchParams({ pass: 'declined', challenge: `challenge-${number}` })
  return {
    id: `secret-${number}`,
    challengeId: `challenge-${number}`,
    qrCodeUrl: `mepass://challenge/${number}`,
    authorizeUrl: `${path}${path.includes('?') ? '&' : '?'}${back}`,
    number: 42,
    requester: { browser: 'Chrome', system: 'Linux', region: 'KR' },
    expiresAt: minutesFromNow(2),
  }
}

export const handlers: Handlers = {
  'GET /user/secretKey': () => {
    publicKey ??= newPublicKey()
    return { keyId: 'mock', publicKey, nonce: 'n', expiresAt: minutesFromNow(10) }
  },
  'GET /slide': () => ({
    salt: 'mock',
    hash: sha256('mock1234'),
    most: 20_000,
    id: `s-${nextNumber()}`,
    background: svg(
      '<defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop stop-color="#2b5876"/><stop offset="1" stop-color="#4e4376"/></linearGradient></defs><rect width="320" height="160" fill="url(#g)"/><path d="M0 130 80 70l60 45 70-80 110 95v30H0z" fill="#16222f"/><rect x="196" y="62" width="48" height="48" rx="8" fill="#000" opacity=".55"/>',
      320,
      160,
    ),
    piece: svg('<rect width="48" height="48" rx="8" fill="#5b5f8f" stroke="#fff" stroke-width="2"/>', 48, 48),
    width: 320,
    height: 160,
    pieceWidth: 48,
    pieceY: 62,
    expiresAt: minutesFromNow(1),
  }),
  'POST /slide/verify': () => ({ token: 'slid' }),
  // The solution of this proof of work is 7.
  'GET /slide/work': () => ({
    id: 'work-1',
    salt: 'salt',
    hash: sha256('salt7'),
    most: 800,
    expiresAt: minutesFromNow(5),
  }),
  'POST /slide/work/verify': ({ body, refuse }) =>
    body.number === 7 ? { token: 'worked' } : refuse('SDK1003'),
  // No device is known here.
  'POST /user/login': ({ body, refuse }) => {
    if (body.slideToken === undefined || body.slideToken === null)
      return refuse('1042', { field: 'slideToken' })
    return body.email === user.email ? session() : refuse('1004')
  },
  'POST /user/register': session,
  'POST /user/resetPassword': ({ body, refuse }) =>
    body.emailCode === '000000' ? refuse('1013', { field: 'emailCode' }) : null,
  'POST /user/unBindResetPassword': () => null,
  'GET /user/isBind/{id}': () => ({
    bound: user.boundAddress !== null,
    meId: 'ME-3F9A2C71D0',
    boundAddress: user.boundAddress,
    obstacles: [],
  }),
  'POST /user/bind': () => user,
  'POST /user/unbind': () => ({ ...user, boundAddress: null }),
  'GET /user/session/list': () => sessions,
  'POST /user/session/revoke/{id}': ({ path }) => {
    sessions = sessions.filter((one) => one.id !== path.id)
    return null
  },
  'POST /user/session/revokeOthers': () => {
    sessions = sessions.filter((one) => one.current)
    return null
  },
  'POST /logout': () => null,
  'POST /common/word/valid': () => ({ valid: true, reason: null }),
  'GET /scan/genQrCodeUrl/{id}': ({ query }) => challenge(query.returnTo ?? '/login'),
  'GET /scan/resetByEmail': ({ query }) => challenge(query.returnTo ?? '/resetPassword'),
  'GET /scan/proof': ({ query }) => challenge(query.returnTo ?? '/'),
  'GET /scan/result/{id}': () => {
    // A handler can only throw this code: its HTTP status is 200, so the document types the response as a success.
    throw new Refusal('1009')
  },
  'POST /email/send': () => ({ resendAt: minutesFromNow(1), id: 'code-1' }),
  'POST /email/verify': () => ({ valid: true }),
}
