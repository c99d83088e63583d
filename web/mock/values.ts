const MINUTE = 60_000
/** In minutes, as `minutesFromNow` takes them. */
export const HOUR = 60
export const DAY = 24 * HOUR
export const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * MINUTE).toISOString()

export const ADDRESS = {
  custody: '0x4C6f1a2E9bD03f57A81c09De6B2f45A7731E90cD',
  bound: '0x91f3B07E6d2A54c8E19B03dF7a6C58e24B0d71Fa',
  receiving: '0x2Bd5e80F6C17a94E3b06D8f21A5c4709Ee3b91D6',
  buyer: '0x7aE94b1C03D26f58B9e07A41c6Df352b80E19C44',
  usdt: '0x55d398326f99059fF775485246999027B3197955',
}
export const HASH = '0x8f3c1be2a64d907fe15b83c2d4a69f70b1e25d38c9a47f60e2b8d15c3f9a7e04'

/** The ID of a case, by its number in this mock. */
export const caseId = (number: number) => `0198c3a0-0000-7000-8000-${String(number).padStart(12, '0')}`
