import { useEffect, useState } from 'react'
import { explainError } from './explainError'

/** Returns the text for an error, to show on the screen instead of in a toast. */
export function useErrorText(error: unknown): string {
  const [said, setSaid] = useState<{ error: unknown; text: string } | null>(null)
  useEffect(() => {
    if (error === null || error === undefined) return
    let current = true
    void explainError(error).then(({ text }) => {
      if (current) setSaid({ error, text })
    })
    return () => {
      current = false
    }
  }, [error])
  return said !== null && said.error === error ? said.text : ''
}
