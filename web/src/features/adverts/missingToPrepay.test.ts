import { expect, test } from 'vitest'
import { missingToPrepay } from './missingToPrepay'

const line = (temporary: string, confirming = '0', debt = '0') => ({ temporary, confirming, debt })

test('a balance that covers what sellers prepay lacks nothing', () => {
  expect(missingToPrepay('2.4', line('2.4'))).toBeNull()
  expect(missingToPrepay('2.4', line('12.5'))).toBeNull()
})

test('what is being confirmed is missing, but need not be sent again', () => {
  expect(missingToPrepay('2.4', undefined)).toEqual({ now: '2.4', toSend: '2.4' })
  expect(missingToPrepay('2.4', line('0.9'))).toEqual({ now: '1.5', toSend: '1.5' })
  expect(missingToPrepay('2.4', line('0.9', '1'))).toEqual({ now: '1.5', toSend: '0.5' })
  expect(missingToPrepay('2.4', line('0.9', '1.5'))).toEqual({ now: '1.5', toSend: '0' })
  expect(missingToPrepay('2.4', line('0.9', '350'))).toEqual({ now: '1.5', toSend: '0' })
})

test('what arrives repays debt first', () => {
  expect(missingToPrepay('2.4', line('0', '0', '5'))).toEqual({ now: '2.4', toSend: '7.4' })
  expect(missingToPrepay('2.4', line('0', '6', '5'))).toEqual({ now: '2.4', toSend: '1.4' })
})
