import { create } from 'zustand'
import type { PassResult } from '@/api/types'

/** The pass result of an unregistered user, passed from login to registration. */
export const usePassResult = create<{ result: PassResult | null }>(() => ({ result: null }))
