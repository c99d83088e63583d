import { act, renderHook } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { clearSession, signIn } from '@/session/session'
import {
  announceOrder,
  markCreditChanged,
  markCreditSeen,
  useAnnouncedOrders,
  useCreditChanged,
} from './live'

afterEach(clearSession)

function live() {
  return renderHook(() => ({ announced: useAnnouncedOrders(), changed: useCreditChanged() })).result
}

test('what one user was told is forgotten when another one logs in', () => {
  signIn('t1', 'u1')
  const result = live()
  act(() => {
    announceOrder('o-1')
    markCreditChanged()
  })
  // A new token of the same user.
  act(() => signIn('t2', 'u1'))
  expect(result.current).toEqual({ announced: ['o-1'], changed: true })
  act(() => signIn('t3', 'u2'))
  expect(result.current).toEqual({ announced: [], changed: false })
  expect(localStorage.getItem('isCreditChange')).toBeNull()
})

test('a change of the credit score is forgotten once it is seen, also for the next page', () => {
  signIn('t1', 'u1')
  const result = live()
  act(markCreditChanged)
  expect(localStorage.getItem('isCreditChange')).toBe('true')
  act(markCreditSeen)
  expect(result.current.changed).toBe(false)
  expect(localStorage.getItem('isCreditChange')).toBeNull()
})
