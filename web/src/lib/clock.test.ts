import { expect, test } from 'vitest'
import { remaining, serverNow, syncServerTime } from './clock'

test('deadlines follow the server’s clock, not the device’s', () => {
  const device = Date.UTC(2026, 0, 1, 12, 0, 0)
  syncServerTime('2026-01-01T11:00:00Z', device)
  expect(serverNow(device)).toBe(Date.UTC(2026, 0, 1, 11, 0, 0))
  expect(remaining('2026-01-01T11:14:32Z', serverNow(device))).toMatchObject({ over: false, text: '14:32' })
  expect(remaining('2026-01-01T12:02:09Z', serverNow(device))).toMatchObject({ text: '1:02:09' })
  expect(remaining('2026-01-03T11:00:01Z', serverNow(device))).toMatchObject({ text: '2d 0:00:01' })
  expect(remaining('2026-01-01T10:59:59Z', serverNow(device))).toMatchObject({ over: true, text: '00:00' })
})

test('response jitter does not move the clock, but a real difference does', () => {
  const device = Date.UTC(2026, 0, 1)
  syncServerTime('2026-01-01T00:00:00Z', device)
  syncServerTime('2026-01-01T00:00:00Z', device + 300)
  expect(serverNow(device)).toBe(device)
  syncServerTime('not a time', device)
  expect(serverNow(device)).toBe(device)
  // A quicker response knows the server's time better.
  syncServerTime('2026-01-01T00:00:00.200Z', device)
  expect(serverNow(device)).toBe(device + 200)
  syncServerTime('2026-01-01T00:01:00Z', device)
  expect(serverNow(device)).toBe(device + 60_000)
})

test('no countdown shows more than the whole time, nor less than zero', () => {
  const deadline = '2026-01-01T12:30:00Z'
  const begin = Date.UTC(2026, 0, 1, 12, 0, 0)
  for (const behind of [0, 1, 700, 999]) expect(remaining(deadline, begin - behind).text).toBe('30:00')
  expect(remaining(deadline, begin + 1).text).toBe('29:59')
  const end = Date.parse(deadline)
  expect(remaining(deadline, end - 1)).toMatchObject({ over: false, text: '00:00' })
  expect(remaining(deadline, end)).toMatchObject({ over: true, text: '00:00' })
})
