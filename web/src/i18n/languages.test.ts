import { expect, test } from 'vitest'
import { deviceLanguage, LANGUAGES, languageByCode, pickerLanguages } from './languages'

test('a language code is found in any notation', () => {
  expect(languageByCode('zh_TW')?.tag).toBe('zh-TW')
  expect(languageByCode('zh-tw')?.code).toBe('zh_TW')
  expect(languageByCode('xx')).toBeNull()
  expect(languageByCode(null)).toBeNull()
})

test('the device language matches by its primary subtag and falls back to English', () => {
  expect(deviceLanguage(['zh-Hans-SG'], LANGUAGES).code).toBe('zh_CN')
  expect(deviceLanguage(['zh-TW'], LANGUAGES).code).toBe('zh_TW')
  expect(deviceLanguage(['fr-FR', 'th'], LANGUAGES).code).toBe('th_TH')
  expect(deviceLanguage(['fr-FR'], LANGUAGES).code).toBe('en')
})

test('a language without a catalog is never chosen', () => {
  const offered = LANGUAGES.filter((one) => one.code === 'en' || one.code === 'zh_CN')
  expect(deviceLanguage(['zh-TW'], offered).code).toBe('zh_CN')
  expect(deviceLanguage(['th-TH'], offered).code).toBe('en')
  expect(pickerLanguages(offered).map((one) => one.code)).toEqual(['en', 'zh_CN'])
})

test('with all catalogs, the picker lists the eight languages of the specification', () => {
  expect(
    pickerLanguages(LANGUAGES)
      .map((one) => one.code)
      .toSorted(),
  ).toEqual(['en', 'es_ES', 'ko_KP', 'pt_PT', 'th_TH', 'tr_TR', 'vi_VN', 'zh_TW'].toSorted())
})

test('English is sent as en_US', () => {
  expect(languageByCode('en')?.header).toBe('en_US')
})
