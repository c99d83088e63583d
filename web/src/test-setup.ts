import '@testing-library/jest-dom/vitest'
import { i18n } from '@lingui/core'
import { cleanup } from '@testing-library/react'
import { afterEach, beforeAll } from 'vitest'
import { activate } from './i18n/catalogs'
import { byCode } from './i18n/languages'

beforeAll(async () => {
  i18n.load('en', {})
  const english = byCode('en')
  if (english !== null) await activate(english)
})

afterEach(cleanup)
