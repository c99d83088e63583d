import { beforeEach, expect, test } from 'vitest'
import { clearSession, deviceId, isSignedIn, signIn, useSession } from './session'

beforeEach(() => {
  clearSession()
})

test('a session is a token and a user id, kept in cookies', () => {
  expect(isSignedIn()).toBe(false)
  signIn('t=1; x', 'u1')
  expect(isSignedIn()).toBe(true)
  expect(document.cookie).toContain('MEC2C-token=t%3D1%3B%20x')
  expect(useSession.getState()).toEqual({ token: 't=1; x', userId: 'u1' })
})

test('signing out clears the session', () => {
  signIn('t', 'u1')
  clearSession()
  expect(isSignedIn()).toBe(false)
  expect(document.cookie).not.toContain('MEC2C-token')
  expect(localStorage.getItem('userId')).toBeNull()
})

test('a token without a user ID is not a session', () => {
  useSession.setState({ token: 't', userId: null })
  expect(isSignedIn()).toBe(false)
})

test('the device ID stays the same', () => {
  expect(deviceId()).toBe(deviceId())
})
