import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import {
  currentLocation,
  isOwnPath,
  navigate,
  onLocationChange,
  savedScroll,
  startNavigation,
  stepBack,
} from './location'
import { hrefTo } from './navigation'

let closed = false

beforeAll(() => {
  startNavigation({
    guard: (href) => (closed ? `/login?next=${encodeURIComponent(href)}` : href),
    preload: () => {},
  })
})
beforeEach(() => {
  closed = false
  navigate('/')
})

const popped = () =>
  new Promise<void>((resolve) => addEventListener('popstate', () => resolve(), { once: true }))

test('hrefTo builds the URL and omits empty parameters', () => {
  expect(hrefTo('/order')).toBe('/order')
  expect(hrefTo('/orderDetail', { id: 'a b/ü', x: undefined, y: '' })).toBe('/orderDetail?id=a+b%2F%C3%BC')
})

test('navigating changes the URL and location, and notifies listeners', () => {
  const heard = vi.fn()
  const stop = onLocationChange(heard)
  navigate('/orderDetail?id=1')
  expect(location.pathname + location.search).toBe('/orderDetail?id=1')
  expect(currentLocation()).toMatchObject({ pathname: '/orderDetail', search: '?id=1', action: 'push' })
  expect(heard).toHaveBeenCalledTimes(1)
  stop()
  navigate('/order')
  expect(heard).toHaveBeenCalledTimes(1)
})

test('replacing adds no history entry', () => {
  const before = history.length
  navigate('/order', true)
  expect(history.length).toBe(before)
})

test('going back restores the entry and its scroll position', async () => {
  navigate('/order')
  const { key } = currentLocation()
  vi.stubGlobal('scrollY', 640)
  navigate('/orderDetail')
  vi.stubGlobal('scrollY', 0)
  const back = popped()
  history.back()
  await back
  expect(currentLocation()).toMatchObject({ pathname: '/order', key, action: 'pop' })
  expect(savedScroll(key)).toBe(640)
})

test('the back button of a page leads to the one before it, and home from an entry that came from outside', async () => {
  history.replaceState(null, '', '/order')
  navigate('/orderDetail?id=1')
  navigate('/orderDetail?id=2', true)
  const back = popped()
  stepBack()
  await back
  expect(currentLocation()).toMatchObject({ pathname: '/order', action: 'pop' })
  const before = history.length
  stepBack()
  expect(currentLocation()).toMatchObject({ pathname: '/', action: 'push' })
  expect(history.length).toBe(before)
})

test('replacing the query of a page that was restored does not count as a new visit', async () => {
  navigate('/order')
  const back = popped()
  history.back()
  await back
  navigate('/?base=MEC', true)
  expect(currentLocation()).toMatchObject({ pathname: '/', search: '?base=MEC', action: 'pop' })
  navigate('/order', true)
  expect(currentLocation()).toMatchObject({ pathname: '/order', action: 'push' })
})

test('a location rejected by the guard shows another one instead', () => {
  closed = true
  navigate('/orderDetail?id=1')
  expect(currentLocation()).toMatchObject({ pathname: '/login', search: '?next=%2ForderDetail%3Fid%3D1' })
})

test('a typed or linked entry starts at the top; a reload restores the scroll position', () => {
  const options = { guard: (href: string) => href, preload: () => {} }
  history.replaceState(null, '', '/order')
  startNavigation(options)
  const { key, action } = currentLocation()
  expect([action, savedScroll(key)]).toEqual(['push', 0])
  vi.stubGlobal('scrollY', 480)
  dispatchEvent(new Event('pagehide'))
  vi.stubGlobal('scrollY', 0)
  startNavigation(options)
  expect(currentLocation()).toMatchObject({ key, action: 'pop' })
  expect(savedScroll(key)).toBe(480)
  // An address typed in the same tab is a new entry.
  history.pushState(null, '', '/myAdvert')
  startNavigation(options)
  expect(currentLocation().action).toBe('push')
  expect(savedScroll(currentLocation().key)).toBe(0)
})

test('an address of another host is no path of this site, however its slashes are hidden', () => {
  for (const other of [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n\\evil.example',
  ]) {
    expect(isOwnPath(other), other).toBe(false)
  }
  for (const own of ['/', '/order?show=finished', '/\torder', '/trader?id=a//b'])
    expect(isOwnPath(own), own).toBe(true)
})

test('a URL of another origin is not followed', () => {
  navigate('https://evil.example/x')
  navigate('//evil.example/x')
  expect(currentLocation().pathname).toBe('/')
})
