import { useEffect, useState } from 'react'
import type { Purpose } from '@/api/codes'
import { explainError } from './explainError'

/** Returns the text for an error, to show on the screen instead of in a toast. */
export function useErrorText(error: unknown, purpose: Purpose = 'read'): string {
  const [said, setSaid] = useState<{ error: unknown; text: string } | null>(null)
  useEffect(() => {
    if (error === null || error === undefined) return
    let current = true
    void explainError(error, purpose).then(({ text }) => {
      if (current) setSaid({ error, text })
    })
    return () => {
      current = false
    }
  }, [error, purpose])
  return said !== null && said.error === error ? said.text : ''
}
