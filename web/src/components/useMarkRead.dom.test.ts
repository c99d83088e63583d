import { act, renderHook } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { useMarkRead } from './useMarkRead'

interface Props {
  upTo: number | null
  attempt: string
}

test('a report that failed is made again with the next attempt, and one that succeeded is not', async () => {
  const report = vi.fn<(upTo: number) => Promise<void>>()
  report.mockRejectedValueOnce(new TypeError('no connection')).mockResolvedValue()
  const initialProps: Props = { upTo: null, attempt: 'first' }
  // Screens pass a new function each time.
  const { rerender } = renderHook(
    ({ upTo, attempt }: Props) => useMarkRead((number) => report(number), upTo, attempt),
    { initialProps },
  )
  const next = (upTo: number | null, attempt: string) => act(async () => rerender({ upTo, attempt }))
  const reports = () => report.mock.calls.map(([upTo]) => upTo)
  await next(null, 'first')
  expect(reports()).toEqual([])
  await next(7, 'first')
  await next(7, 'first')
  expect(reports()).toEqual([7])
  await next(7, 'second')
  expect(reports()).toEqual([7, 7])
  await next(7, 'third')
  expect(reports()).toEqual([7, 7])
  await next(9, 'third')
  expect(reports()).toEqual([7, 7, 9])
})
