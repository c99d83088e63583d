import { readFileSync } from 'node:fs'
import type { AppealReason } from '../src/api/types.ts'
import type { Handlers } from './operation.ts'

const TEXTS = new URL('../../crates/api/src/common/dictionary/texts/', import.meta.url)

/** Returns the names of the server's dictionary. */
function wordsIn(language: string): { value: AppealReason; name: string }[] {
  const lines = readFileSync(new URL(`${language}.txt`, TEXTS), 'utf8')
    .trim()
    .split('\n')
  return lines.map((line) => {
    const [value, ...name] = line.split(' ')
    // The server's tests compare the file with the reasons.
    return { value: value as AppealReason, name: name.join(' ') }
  })
}

export const handlers: Handlers = {
  'GET /common/dict': ({ query }) => {
    const language = query.language ?? 'zh_CN'
    return { language, appealReasons: wordsIn(language) }
  },
}
