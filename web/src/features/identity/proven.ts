import { create } from 'zustand'
import type { PassResult } from '@/api/types'

/** What the pass proved about somebody who is not registered yet, on the way from log-in to registration. */
export const useProven = create<{ result: PassResult | null }>(() => ({ result: null }))
