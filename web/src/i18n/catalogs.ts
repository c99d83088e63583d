import { i18n, type Messages } from '@lingui/core'
import { create } from 'zustand'
import { cookies, local } from '@/lib/storage'
import { byCode, forDevice, LANGUAGES, type Language } from './languages'

/**
 * Texts are cut into one catalogue per feature, so that a page loads its own words and no others.
 * The key is the folder: `app`, `api` (the code table) or a feature's name.
 */
const files = import.meta.glob<{ messages: Messages }>(['../*/locales/*.po', '../features/*/locales/*.po'])
const PREFERENCE = 'me_lang'

const loaders = new Map<string, () => Promise<{ messages: Messages }>>()
const offeredTags = new Set<string>()
for (const [path, load] of Object.entries(files)) {
  const match = /([^/]+)\/locales\/([^/]+)\.po$/.exec(path)
  if (match?.[1] === undefined || match[2] === undefined) continue
  loaders.set(`${match[1]}/${match[2]}`, load)
  if (match[1] === 'app') offeredTags.add(match[2])
}

/** The languages that can be shown: those with a catalogue. */
export const OFFERED: readonly Language[] = LANGUAGES.filter((one) => offeredTags.has(one.tag))

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
  const stored = byCode(cookies.get(PREFERENCE) ?? local.get(PREFERENCE))
  if (stored !== null && OFFERED.includes(stored)) return stored
  return forDevice(navigator.languages, OFFERED)
}

interface LanguageState {
  language: Language
}

export const useLanguageStore = create<LanguageState>(() => ({ language: preferred() }))

export function currentLanguage(): Language {
  return useLanguageStore.getState().language
}

/** Loads a feature's texts in the present language; later language changes bring them along. */
export async function loadCatalog(name: string): Promise<void> {
  wanted.add(name)
  await load(name, currentLanguage())
}

/** Shows `language` everywhere, now. */
export async function activate(language: Language): Promise<void> {
  await Promise.all(Array.from(wanted, (name) => load(name, language)))
  i18n.activate(language.tag)
  document.documentElement.lang = language.tag
  useLanguageStore.setState({ language })
}

/** Keeps the choice and shows it; its floating button's place belongs to the old layout, so that is forgotten. */
export async function choose(language: Language): Promise<void> {
  cookies.set(PREFERENCE, language.code, 365)
  local.set(PREFERENCE, language.code)
  local.remove('order_button_position')
  await activate(language)
}

/** Reads `?lang=` of any address as a choice. Returns whether it was one. */
export function languageFromQuery(search: string): Language | null {
  const asked = byCode(new URLSearchParams(search).get('lang'))
  return asked !== null && OFFERED.includes(asked) ? asked : null
}

export async function startLanguage(): Promise<void> {
  const asked = languageFromQuery(location.search)
  await (asked === null ? activate(currentLanguage()) : choose(asked))
}
