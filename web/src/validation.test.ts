import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const SRC = resolve(import.meta.dirname)

/** What rules about input look like: lengths, forms, sizes, and amounts and standings that are compared. */
const CHECKS: readonly RegExp[] = [
  /\bmaxLength=\{[^}]*\}/g,
  /\b[\w.()]*length [<>]=? (?:\d{2,}|[3-9]|[A-Z_]{3,}|most|\w+\.\w+)/g,
  /\/\^(?:[^/\\\n[]|\\.|\[(?:[^\]\\]|\\.)*\])*\$\/[a-z]*/g,
  /\bnew RegExp\(/g,
  /\b[\w.]*size [<>]=? [A-Z_]{3,}/g,
  /\bcompare\([\w.[\]]+, [\w.[\]]+\)/g,
  /\b(?:reputation|kycLevel|holdUntil|certified) (?:[<>]=?|===) [\w.']+/g,
]

const TEXT = 'A length, so that nobody types in vain.'
const SECRET = 'The length of a password, which the server cannot see before it is sent.'
const SHOWN = 'Decides how something looks, and refuses nothing.'
const PAGES = 'Whether there is another page.'
const LOCAL = 'How many filters this device keeps, of which the server knows nothing.'
const ADDRESS = 'The form of an address in the browser, which is not input.'

/**
 * All checks of the web, with a reason for each file. The web helps with the format while users type. A rule belongs to the
 * server: the web asks for it, or shows the refusal at its field.
 */
const LISTED: Readonly<Record<string, readonly [reason: string, ...checks: string[]]>> = {
  'api/codes.ts': [
    'The codes that the server explains.',
    '/^(?:40[03489]|413|429|503|8\\d\\d|999|1\\d{3}|3\\d{3}|4\\d{3}|5\\d{3}|6\\d{3}|(?:AC|RISK|USER|SDK)\\d{4})$/',
  ],
  'api/talk.ts': [PAGES, 'page.entries.length < PAGE'],
  'app/routeGuard.ts': [ADDRESS, '/^\\/(login|register)$/'],
  'components/DepositCard.tsx': [SHOWN, 'compare(deposit.shortfall, deposit.needed)'],
  'components/Flag.tsx': [SHOWN, '/^[A-Z]{2}$/'],
  'components/FundFromBalance.tsx': [
    'How much to offer of a balance that the server sends.',
    'compare(deposit.balance, deposit.shortfall)',
  ],
  'components/ending/CancelSheet.tsx': [TEXT, 'maxLength={MOST_REASON}'],
  'components/files/useUploads.ts': [
    'The number of files and the size of a video, so that nobody uploads in vain.',
    'items.length >= most',
    'work.source.size > MOST_VIDEO_BYTES',
  ],
  'console/AuditTable.tsx': [SHOWN, 'entry.subjectId.length > 8'],
  'console/CertificationsPage.tsx': [PAGES, 'page.length < PAGE'],
  'console/CodeField.tsx': [TEXT, 'maxLength={7}'],
  'console/DecisionDialog.tsx': [TEXT, 'maxLength={LONGEST_REASON}'],
  'console/NicknamesPage.tsx': [PAGES, 'page.length < PAGE'],
  'console/OfficerDecisions.tsx': [
    'The length of a name, and the form of an email address.',
    'maxLength={100}',
    '/^\\S+@\\S+$/',
  ],
  'console/PairDecisions.tsx': ['The form of a number.', '/^\\d+(?:\\.\\d+)?$/'],
  'console/UserDecisions.tsx': ['Whether a decision would change anything.', 'certified === user.certified'],
  'console/appeals/NotesPanel.tsx': [TEXT, 'maxLength={LONGEST}'],
  'console/appeals/OfficialComposer.tsx': [
    TEXT,
    'maxLength={MOST}',
    'whole.length > MOST',
    'text.length >= SHORT_OF',
  ],
  'console/appeals/PartiesPanel.tsx': [SHOWN, 'reputation < LOW_REPUTATION'],
  'console/appeals/RequestDialog.tsx': [TEXT, 'maxLength={LONGEST}'],
  'console/codeDigits.ts': ['The form of a code.', '/^\\d{6}$/'],
  'features/adverts/LimitsStep.tsx': ['The length that the server publishes.', 'maxLength={remarkMax}'],
  'features/adverts/MarketDistance.tsx': [SHOWN, '/^-?0(\\.0+)?$/'],
  'features/adverts/NftChoice.tsx': [TEXT, 'maxLength={78}'],
  'features/adverts/TypeStep.tsx': [SHOWN, 'maxLength={40}', 'pairs.length > MANY'],
  'features/adverts/draft.ts': [
    'The limits of the pair that the server publishes.',
    'compare(draft[least], pair.orderMin)',
    'compare(draft[most], pair.orderMax)',
  ],
  'features/appeals/AppealForm.tsx': [TEXT, 'maxLength={MAX_DESCRIPTION}'],
  'features/identity/EmailCodeField.tsx': [TEXT, 'maxLength={6}'],
  'features/identity/NewPasswordFields.tsx': [SECRET, 'maxLength={64}'],
  'features/identity/NicknameSheet.tsx': [
    'The length of a nickname, and that it has no spaces and signs.',
    'maxLength={LONGEST}',
    'Array.from(name).length < SHORTEST',
    '/^[\\p{L}\\p{N}\\p{M}]+$/u',
  ],
  'features/identity/PersonalCenterPage.tsx': [SHOWN, 'reputation < neededToPost'],
  'features/identity/ReputationScorePage.tsx': [SHOWN, 'reputation < neededToPost'],
  'features/identity/SecurityPasswordPage.tsx': [
    SECRET,
    'maxLength={64}',
    'Array.from(fresh).length < LEAST',
  ],
  'features/identity/OwnTextForm.tsx': [TEXT, 'maxLength={longest}'],
  'features/identity/validation.ts': [
    'The forms of a code and of an email address. The emailed code is the proof.',
    'text.length <= 254',
    '/^\\d{6}$/',
    '/^[^\\s@]+@[^\\s@.]+(\\.[^\\s@.]+)+$/',
  ],
  'features/market/filters/MethodList.tsx': [SHOWN, 'options.length <= FEW'],
  'features/market/filters/SavedFilters.tsx': [LOCAL, 'addresses.length < MAX_SAVED'],
  'features/market/filters/saved.ts': [LOCAL, 'addresses.length >= MAX_SAVED'],
  'features/market/nftHall/NftFilters.tsx': [
    'How many traits the server takes.',
    'hall.traits.length >= MAX_TRAITS',
  ],
  'features/market/hallState.ts': [ADDRESS, '/^[A-Z]{2}$/', 'compare(min, max)'],
  'features/orders/FeedbackCard.tsx': [TEXT, 'maxLength={LONGEST}'],
  'features/orders/OrderFilters.tsx': [TEXT, 'maxLength={LONGEST_SEARCH}'],
  'features/orders/PaidSheet.tsx': [
    'The length of a reference, and the form of a transaction hash.',
    'maxLength={100}',
    '/^(0x)?[0-9a-fA-F]{64}$/',
  ],
  'features/payment-methods/CreatingPaymentPage.tsx': [
    'The length that the server publishes.',
    'maxLength={field.maxLength}',
  ],
  'features/prices/PriceFigures.tsx': [SHOWN, 'compare(point.close, point.open)'],
  'features/payment-methods/form.ts': [
    'The lengths and forms that the server publishes, and one line of text.',
    'Array.from(value).length > field.maxLength',
    '/^[^\\p{Cc}]*$/u',
    'new RegExp(',
  ],
  'features/talk/Composer.tsx': [TEXT, 'maxLength={MOST}', 'text.length >= SHORT_OF'],
  'features/talk/ConversationList.tsx': [SHOWN, 'letters.length > SHOWN'],
  'features/wallet/OpenRequests.tsx': [SHOWN, 'compare(deposit.received, deposit.needed)'],
  'lib/address.ts': [
    'The form of an address. The server verifies checksums.',
    '/^0x[0-9a-fA-F]{40}$/',
    '/^T[1-9A-HJ-NP-Za-km-z]{33}$/',
  ],
  'lib/decimal.ts': [
    'The form of a number, and its parts.',
    '/^-?\\d+(\\.\\d+)?$/',
    '/^(-?)0*(\\d+)\\.?(\\d*)$/',
  ],
  'lib/grouping.ts': [
    'The form of a pasted number.',
    '/^\\d{1,3}(?:,\\d{3})+\\.\\d+$/',
    '/^\\d{1,3}(?:,\\d{3}){2,}$/',
    '/^\\d{1,3}(?:\\.\\d{3})+,\\d+$/',
    '/^\\d{1,3}(?:\\.\\d{3}){2,}$/',
  ],
  'lib/money.ts': ['The smaller of two numbers.', 'compare(a, b)'],
  'lib/password.ts': [SECRET, 'length >= 8', 'length <= 32'],
  'lib/picture.ts': [
    'Makes pictures smaller before they are sent.',
    'file.size <= MOST_IMAGE_BYTES',
    'blob.size <= MOST_IMAGE_BYTES',
  ],
  'lib/wallet.ts': ['The form of a number, which is made part of a transaction.', '/^\\d+$/'],
  'lib/text.ts': [SHOWN, 'value.length > 16', '/^\\d{9,}$/'],
}

function checksOf(path: string): string[] {
  const code = readFileSync(join(SRC, path), 'utf8')
    .split('\n')
    .filter((line) => !/^\s*(?:\*|\/\/|\/\*)/.test(line))
    .join('\n')
  return Array.from(new Set(CHECKS.flatMap((pattern) => Array.from(code.matchAll(pattern), ([all]) => all))))
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.|\.d\.ts$/.test(path))
  .toSorted()

test('every check of the web is listed with its reason', () => {
  const found = files.map((path) => [path, checksOf(path)] as const).filter(([, checks]) => checks.length > 0)
  const listed = Object.entries(LISTED).map(([path, [, ...checks]]) => [path, checks] as const)
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(listed))
})
