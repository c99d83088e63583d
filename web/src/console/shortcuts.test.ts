import { expect, test } from 'vitest'
import { keyName, sequencer } from './shortcuts'

test('single keys and sequences of two are recognized', () => {
  const press = sequencer(new Set(['?', '/', 'g u', 'g a']))
  expect(press('?', 0)).toBe('?')
  expect(press('u', 1)).toBeNull()
  expect(press('g', 2)).toBeNull()
  expect(press('u', 3)).toBe('g u')
  expect(press('u', 4)).toBeNull()
})

test('an unknown second key begins again, and a late one does not count', () => {
  const press = sequencer(new Set(['g u', '/']))
  press('g', 0)
  expect(press('/', 1)).toBe('/')
  press('g', 2)
  expect(press('g', 3)).toBeNull()
  expect(press('u', 4)).toBe('g u')
  press('g', 10)
  expect(press('u', 2000)).toBeNull()
})

test('keys with Ctrl, Alt or Meta belong to the browser', () => {
  const event = { key: 'K', ctrlKey: false, metaKey: false, altKey: false }
  expect(keyName(event)).toBe('k')
  expect(keyName({ ...event, key: 'Enter' })).toBe('Enter')
  for (const modifier of ['ctrlKey', 'metaKey', 'altKey'])
    expect(keyName({ ...event, [modifier]: true })).toBeNull()
})
