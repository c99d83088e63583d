import { i18n, type Messages } from '@lingui/core'
import { create } from 'zustand'
import { cookies, local } from '@/lib/storage'
import { deviceLanguage, LANGUAGES, type Language, languageByCode } from './languages'

/**
 * One catalog per feature, so that a page loads only its own texts. The key is the folder: `app`, `api` (the code
 * table), `components`, `pass`, `ending`, `trading`, `methods`, `nft`, `nftHall`, `filters`, `matching`, `login`, or a feature's
 * name.
 */
const files = import.meta.glob<{ messages: Messages }>([
  '../*/locales/*.po',
  '../components/*/locales/*.po',
  '../features/*/locales/*.po',
  '../features/*/*/locales/*.po',
])
const PREFERENCE = 'me_lang'

const loaders = new Map<string, () => Promise<{ messages: Messages }>>()
const offeredTags = new Set<string>()
for (const [path, load] of Object.entries(files)) {
  const match = /([^/]+)\/locales\/([^/]+)\.po$/.exec(path)
  if (match?.[1] === undefined || match[2] === undefined) continue
  loaders.set(`${match[1]}/${match[2]}`, load)
  if (match[1] === 'app') offeredTags.add(match[2])
}

/** The languages that have a catalog. */
export const SUPPORTED_LANGUAGES: readonly Language[] = LANGUAGES.filter((one) => offeredTags.has(one.tag))

const wanted = new Set<string>(['app'])
const loaded = new Set<string>()

async function load(name: string, language: Language): Promise<void> {
  const key = `${name}/${language.tag}`
  if (loaded.has(key)) return
  const loader = loaders.get(key)
  if (loader === undefined) return
  const { messages } = await loader()
  i18n.load(language.tag, messages)
  loaded.add(key)
}

function preferred(): Language {
  const stored = languageByCode(cookies.get(PREFERENCE) ?? local.get(PREFERENCE))
  if (stored !== null && SUPPORTED_LANGUAGES.includes(stored)) return stored
  return deviceLanguage(navigator.languages, SUPPORTED_LANGUAGES)
}

interface LanguageState {
  language: Language
}

export const useLanguageStore = create<LanguageState>(() => ({ language: preferred() }))

export function currentLanguage(): Language {
  return useLanguageStore.getState().language
}

/** Loads a feature's texts in the current language; later language changes include them. */
export async function loadCatalog(name: string): Promise<void> {
  wanted.add(name)
  await load(name, currentLanguage())
}

async function loadAll(language: Language): Promise<void> {
  await Promise.all(Array.from(wanted, (name) => load(name, language)))
}

/** Switches all texts to `language`. */
export async function activateLanguage(language: Language): Promise<void> {
  await loadAll(language)
  i18n.activate(language.tag)
  document.documentElement.lang = language.tag
  useLanguageStore.setState({ language })
}

/** Stores and applies a language. Resets the floating button, whose position belongs to the old layout. */
export async function chooseLanguage(language: Language): Promise<void> {
  // First, because the texts may be out of reach.
  await loadAll(language)
  cookies.set(PREFERENCE, language.code, 365)
  local.set(PREFERENCE, language.code)
  local.remove('order_button_position')
  await activateLanguage(language)
}

/** Stores the language of `?lang=`, if the address has one, and returns it. */
export function languageFromQuery(search: string): Language | null {
  const asked = languageByCode(new URLSearchParams(search).get('lang'))
  return asked !== null && SUPPORTED_LANGUAGES.includes(asked) ? asked : null
}

export async function startLanguage(): Promise<void> {
  const asked = languageFromQuery(location.search)
  await (asked === null ? activateLanguage(currentLanguage()) : chooseLanguage(asked))
}
