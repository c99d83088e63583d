import { act, renderHook } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { useTypedAmounts } from './useTypedAmounts'

type Prices = Record<'min' | 'max', string>

/** Renders fields whose filters are those that they have sent, as in the hall. */
function fields() {
  const sent: Prices[] = []
  const { result, unmount } = renderHook(() => {
    const [prices, setPrices] = useState<Prices>({ min: '', max: '' })
    const send = (next: Prices) => {
      sent.push(next)
      setPrices(next)
    }
    return { ...useTypedAmounts(prices, send), setPrices }
  })
  const type = (change: Partial<Prices>) =>
    act(() => {
      result.current.type({ ...result.current.typed, ...change })
    })
  const pause = (ms = 400) =>
    act(() => {
      vi.advanceTimersByTime(ms)
    })
  return { sent, result, unmount, type, pause }
}

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

test('a point at the end stays while typing pauses', () => {
  const { sent, result, type, pause } = fields()
  type({ min: '70' })
  pause()
  type({ min: '70.' })
  pause()
  expect(result.current.typed.min).toBe('70.')
  type({ min: '70.5' })
  pause()
  expect(sent.map(({ min }) => min)).toEqual(['70', '70.5'])
})

test('an amount is sent without the point at its end, which stays in the field', () => {
  const { sent, result, type, pause } = fields()
  type({ min: '7.' })
  pause()
  expect(sent).toEqual([{ min: '7', max: '' }])
  expect(result.current.typed.min).toBe('7.')
})

test('amounts are sent once, when typing has paused', () => {
  const { sent, type, pause } = fields()
  type({ min: '7' })
  pause(399)
  type({ min: '70' })
  expect(sent).toEqual([])
  pause()
  pause()
  expect(sent).toEqual([{ min: '70', max: '' }])
})

test('amounts are sent when a field is left', () => {
  const { sent, result, type, pause } = fields()
  type({ min: '70' })
  act(() => {
    result.current.settle()
  })
  expect(sent).toEqual([{ min: '70', max: '' }])
  pause()
  expect(sent).toHaveLength(1)
})

test('all amounts are sent together when the fields disappear', () => {
  const { sent, type, unmount } = fields()
  type({ min: '70' })
  type({ max: '80.' })
  unmount()
  expect(sent).toEqual([{ min: '70', max: '80' }])
})

test('fields that disappear without a change send nothing', () => {
  const { sent, type, pause, unmount } = fields()
  type({ min: '70' })
  pause()
  unmount()
  expect(sent).toHaveLength(1)
})

test('filters that were cleared elsewhere clear the fields', () => {
  const { sent, result, type, pause } = fields()
  type({ min: '70.' })
  pause()
  act(() => {
    result.current.setPrices({ min: '', max: '' })
  })
  expect(result.current.typed).toEqual({ min: '', max: '' })
  pause()
  expect(sent).toHaveLength(1)
})
