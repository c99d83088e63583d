import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test } from 'vitest'
import { keys } from '@/api/queries'
import { clearSession, signIn } from '@/session/session'
import { useUserChange } from './useUserChange'

afterEach(clearSession)

test('what was read for a user is forgotten when another one logs in, and only then', () => {
  const client = new QueryClient()
  client.setQueryData(keys.orders, ['an order of u1'])
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  signIn('t1', 'u1')
  renderHook(() => useUserChange(), { wrapper })
  signIn('t2', 'u1')
  expect(client.getQueryData(keys.orders)).toEqual(['an order of u1'])
  signIn('t3', 'u2')
  expect(client.getQueryData(keys.orders)).toBeUndefined()
})
