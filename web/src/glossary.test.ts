import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const SRC = resolve(import.meta.dirname)
const CODES = resolve(SRC, '../../crates/api/src/codes/texts')

/** Words to avoid, and the word to use instead. */
const WORDS: readonly [instead: RegExp, use: string][] = [
  [/信誉|信譽/, '信用分'],
  [/放行/, '放币'],
  [/托管充值/, '存入托管'],
  [/你/, '您'],
  [/身份应用/, '通行证应用'],
  [/充值/, '存入'],
  [/退款/, '退币、退回'],
  [/\bgas\b|网络费/i, '矿工费'],
  [/帐[户号]/, '账户、账号'],
  [/广告主/, '广告方'],
]

/** Unidiomatic phrases, and the phrase to use instead. */
const ENGLISH: readonly [instead: RegExp, use: string][] = [
  [/\badverts?\b/i, 'ad'],
  [/\be-mail/i, 'email'],
  [/\bby itself\b/, 'automatically'],
  [/\b(?:nobody|somebody)\b/i, 'no one, someone'],
  [/\bthe chain (?:took|shows|has|does)\b/i, 'on-chain, or a chain reorganization'],
  [/\bon the chain\b/, 'on-chain'],
  [/\bgas\b/i, 'network fee'],
  [/\breorganization (?:reversed|took)\b/i, 'was reversed on-chain'],
  [/\b(?:seen|visible) on-chain\b/i, 'detected on-chain'],
  [/\b(?:in|for) a block\b/i, 'on-chain'],
  [/\bidentity app\b/i, 'pass app'],
  [/\b(?:this|that|it) is no\b/i, 'isn’t a valid …'],
  [/\bpassword is wrong\b/i, 'Incorrect … password'],
  [/\b(?:You’re|The seller is) overdue\b/, 'hasn’t confirmed in time'],
  [/\bwhat (?:remains|you see|you must)\b/i, 'the remaining amount, this page, your responsibilities'],
  [/\bwhere your money is\b/i, 'your balances'],
  [/\bnothing was paid out\b/i, 'no coins were released'],
  [/\b(?:put in|hurry|pick|anew)\b/i, 'deposit, speed up, select, again'],
  [/\bless the\b/i, 'minus'],
  [/\bone script\b/i, 'one writing system'],
  [/\bcanceled\b|\bfavour\b|\b\w+isation\b/i, 'cancelled, as in the states; favor, -ization'],
]

function catalogues(language: string, ...codes: string[]): string[] {
  return [
    ...readdirSync(SRC, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith(`${language}.po`))
      .map((path) => join(SRC, path)),
    ...codes.map((name) => join(CODES, name)),
  ]
}

/** Returns all texts for users: the translations, and the messages of the codes without their keys. */
function lines(path: string): string[] {
  const all = readFileSync(path, 'utf8').split('\n')
  return path.endsWith('.po')
    ? all.filter((line) => line.startsWith('msgstr')).map((line) => line.replace(/\{\w+\}/g, ''))
    : all.map((line) => line.replace(/^\S+ /, '').replace(/\{\w+\}/g, ''))
}

test.each([
  ['Chinese', catalogues('zh-CN', 'zh_CN.txt', 'zh_TW.txt'), WORDS],
  ['English', catalogues('/en', 'en_US.txt'), ENGLISH],
] as const)('the %s texts use one word per term', (_, texts, words) => {
  expect(texts.length).toBeGreaterThan(5)
  const other = texts.flatMap((path) =>
    lines(path).flatMap((line) =>
      words.filter(([instead]) => instead.test(line)).map(([, use]) => `${path}: ${line} (${use})`),
    ),
  )
  expect(other).toEqual([])
})
