import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { markRead } from '@/api/talk'
import { useMarkRead } from './useMarkRead'

vi.mock('@/api/talk')

const client = new QueryClient()
const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={client}>{children}</QueryClientProvider>
)

interface Props {
  upTo: number | null
  attempt: string
}

test('a report that failed is made again with the next attempt, and one that succeeded is not', async () => {
  vi.mocked(markRead).mockRejectedValueOnce(new TypeError('no connection')).mockResolvedValue()
  const initialProps: Props = { upTo: null, attempt: 'first' }
  const { rerender } = renderHook(({ upTo, attempt }: Props) => useMarkRead('o-1', upTo, attempt), {
    wrapper,
    initialProps,
  })
  const next = (upTo: number | null, attempt: string) => act(async () => rerender({ upTo, attempt }))
  const reports = () => vi.mocked(markRead).mock.calls.map(([, , upTo]) => upTo)
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
