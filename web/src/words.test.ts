import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const SRC = resolve(import.meta.dirname)
const CODES = resolve(SRC, '../../crates/api/src/codes/texts')

/** One thing has one word: the word we do not use, and the one we do. */
const WORDS: readonly [instead: RegExp, use: string][] = [
  [/信誉|信譽/, '信用分'],
  [/放行/, '放币'],
]

const texts = [
  ...readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('zh-CN.po'))
    .map((path) => join(SRC, path)),
  ...['zh_CN.txt', 'zh_TW.txt'].map((name) => join(CODES, name)),
]

test('in Chinese too, one thing has one word', () => {
  expect(texts.length).toBeGreaterThan(5)
  const other = texts.flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((line) =>
        WORDS.filter(([instead]) => instead.test(line)).map(([, use]) => `${path}: ${line} (${use})`),
      ),
  )
  expect(other).toEqual([])
})
