import { create } from 'zustand'
import type { PassResult } from '@/api/types'

/** What the pass proved about an unregistered user, handed from login to registration. */
export const usePassResult = create<{ result: PassResult | null }>(() => ({ result: null }))
