export interface Language {
  /** The code of the specification, stored as the preference `me_lang`. */
  code: LanguageCode
  /** BCP 47, for `<html lang>` and for numbers and dates. */
  tag: string
  /** The tag for dates. Thai would otherwise count Buddhist years. */
  dateTag: string
  /** The value of the header `language`. */
  header: string
  /** The language's name in the language itself. */
  name: string
}

export type LanguageCode =
  | 'en'
  | 'zh_CN'
  | 'zh_TW'
  | 'ko_KR'
  | 'ko_KP'
  | 'vi_VN'
  | 'th_TH'
  | 'tr_TR'
  | 'es_ES'
  | 'pt_PT'

function language(code: LanguageCode, tag: string, name: string, extra: Partial<Language> = {}): Language {
  return { code, tag, dateTag: tag, header: code, name, ...extra }
}

const ENGLISH = language('en', 'en', 'English', { header: 'en_US' })

/** All ten languages, in the order in which a device's language is matched. */
export const LANGUAGES: readonly Language[] = [
  ENGLISH,
  language('zh_CN', 'zh-CN', '简体中文'),
  language('zh_TW', 'zh-TW', '繁體中文'),
  language('ko_KR', 'ko-KR', '한국어'),
  language('ko_KP', 'ko-KP', '조선어'),
  language('vi_VN', 'vi-VN', 'Tiếng Việt'),
  language('th_TH', 'th-TH', 'ไทย', { dateTag: 'th-TH-u-ca-gregory' }),
  language('tr_TR', 'tr-TR', 'Türkçe'),
  language('es_ES', 'es-ES', 'Español'),
  language('pt_PT', 'pt-PT', 'Português'),
]

/** Finds a language by its code. Accepts the specification's `zh_TW` and the browser's `zh-TW`, in any case. */
export function languageByCode(code: string | null | undefined): Language | null {
  if (code === null || code === undefined) return null
  const wanted = code.replace('-', '_').toLowerCase()
  return LANGUAGES.find((one) => one.code.toLowerCase() === wanted) ?? null
}

/** Returns the device's language, matched by its first part (`zh-Hans-SG` → `zh_CN`), or English. */
export function deviceLanguage(device: readonly string[], offered: readonly Language[]): Language {
  for (const tag of device) {
    const exact = languageByCode(tag)
    if (exact !== null && offered.includes(exact)) return exact
    const first = tag.split(/[-_]/)[0]?.toLowerCase()
    const match = offered.find((one) => one.code.split('_')[0] === first)
    if (match !== undefined) return match
  }
  return ENGLISH
}

/** The languages that the picker offers, as the specification requires. */
const PICKER: readonly LanguageCode[] = ['en', 'es_ES', 'ko_KP', 'pt_PT', 'th_TH', 'tr_TR', 'vi_VN', 'zh_TW']

/**
 * The picker's languages that have a catalog. Simplified Chinese replaces Traditional Chinese as long as only
 * Simplified is translated.
 */
export function pickerLanguages(offered: readonly Language[]): readonly Language[] {
  const listed = offered.filter((one) => PICKER.includes(one.code))
  const chinese = listed.some((one) => one.code === 'zh_TW')
  return chinese ? listed : [...listed, ...offered.filter((one) => one.code === 'zh_CN')]
}
