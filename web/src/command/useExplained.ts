import { useEffect, useState } from 'react'
import { explained } from './explained'

/** The words for an error, for a place on the screen instead of a toast. */
export function useExplained(error: unknown): string {
  const [said, setSaid] = useState<{ error: unknown; text: string } | null>(null)
  useEffect(() => {
    if (error === null || error === undefined) return
    let current = true
    void explained(error).then(({ text }) => {
      if (current) setSaid({ error, text })
    })
    return () => {
      current = false
    }
  }, [error])
  return said !== null && said.error === error ? said.text : ''
}
