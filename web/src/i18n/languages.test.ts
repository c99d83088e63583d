import { expect, test } from 'vitest'
import { byCode, forDevice, LANGUAGES, pickerLanguages } from './languages'

test('a code is found however it is written', () => {
  expect(byCode('zh_TW')?.tag).toBe('zh-TW')
  expect(byCode('zh-tw')?.code).toBe('zh_TW')
  expect(byCode('xx')).toBeNull()
  expect(byCode(null)).toBeNull()
})

test('the device language counts by its first part and falls back to English', () => {
  expect(forDevice(['zh-Hans-SG'], LANGUAGES).code).toBe('zh_CN')
  expect(forDevice(['zh-TW'], LANGUAGES).code).toBe('zh_TW')
  expect(forDevice(['fr-FR', 'th'], LANGUAGES).code).toBe('th_TH')
  expect(forDevice(['fr-FR'], LANGUAGES).code).toBe('en')
})

test('a language without a catalogue is not chosen for anybody', () => {
  const offered = LANGUAGES.filter((one) => one.code === 'en' || one.code === 'zh_CN')
  expect(forDevice(['zh-TW'], offered).code).toBe('zh_CN')
  expect(forDevice(['th-TH'], offered).code).toBe('en')
  expect(pickerLanguages(offered).map((one) => one.code)).toEqual(['en', 'zh_CN'])
})

test('with all catalogues the picker lists the eight of the specification', () => {
  expect(
    pickerLanguages(LANGUAGES)
      .map((one) => one.code)
      .toSorted(),
  ).toEqual(['en', 'es_ES', 'ko_KP', 'pt_PT', 'th_TH', 'tr_TR', 'vi_VN', 'zh_TW'].toSorted())
})

test('English is sent as en_US', () => {
  expect(byCode('en')?.header).toBe('en_US')
})
