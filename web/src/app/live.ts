import { create } from 'zustand'
import { local } from '@/lib/storage'
import { useSession } from '@/session/session'

const CREDIT_KEY = 'isCreditChange'

/** What the user of this session was told and has not looked at. */
interface Live {
  /** Orders that were announced and not opened yet, newest last. */
  announced: readonly string[]
  creditChanged: boolean
}

const useLive = create<Live>(() => ({ announced: [], creditChanged: local.get(CREDIT_KEY) === 'true' }))

useSession.subscribe(({ userId }, before) => {
  if (userId === before.userId) return
  local.remove(CREDIT_KEY)
  useLive.setState({ announced: [], creditChanged: false })
})

export const useAnnouncedOrders = () => useLive((state) => state.announced)
export const useCreditChanged = () => useLive((state) => state.creditChanged)

export function announceOrder(orderId: string): void {
  useLive.setState(({ announced }) => ({ announced: [...announced.filter((id) => id !== orderId), orderId] }))
}

export function dismissAnnouncedOrder(orderId: string): void {
  useLive.setState(({ announced }) => ({ announced: announced.filter((id) => id !== orderId) }))
}

/** Remembers, also across reloads, that the credit score has changed. */
export function markCreditChanged(): void {
  local.set(CREDIT_KEY, 'true')
  useLive.setState({ creditChanged: true })
}

/** Forgets that the credit score has changed, because the user has seen it. */
export function markCreditSeen(): void {
  local.remove(CREDIT_KEY)
  useLive.setState({ creditChanged: false })
}
