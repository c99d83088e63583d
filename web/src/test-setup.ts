import '@testing-library/jest-dom/vitest'
import { i18n } from '@lingui/core'
import { cleanup } from '@testing-library/react'
import { afterEach, beforeAll } from 'vitest'
import { activateLanguage } from './i18n/catalogs'
import { languageByCode } from './i18n/languages'

beforeAll(async () => {
  i18n.load('en', {})
  const english = languageByCode('en')
  if (english !== null) await activateLanguage(english)
})

afterEach(cleanup)
