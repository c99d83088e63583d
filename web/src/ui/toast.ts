import { create } from 'zustand'

export type ToastTone = 'done' | 'error'

interface Toast {
  id: number
  text: string
  tone: ToastTone
}

export const TOAST_MS = 2000

export const useToasts = create<{ shown: Toast | null }>(() => ({ shown: null }))

let last = 0

/** Shows one short line below the header, where it covers no main button; a newer toast replaces it. Errors stay longer. */
export function toast(text: string, tone: ToastTone = 'done'): void {
  last += 1
  const id = last
  useToasts.setState({ shown: { id, text, tone } })
  setTimeout(
    () => {
      if (useToasts.getState().shown?.id === id) useToasts.setState({ shown: null })
    },
    tone === 'error' ? TOAST_MS * 2.5 : TOAST_MS,
  )
}
