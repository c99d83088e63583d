import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { markRead } from '@/api/talk'

/**
 * Marks a conversation as read up to an entry; `null` while the user is not reading. A report that failed is made again when
 * `attempt` changes.
 */
export function useMarkRead(orderId: string, upTo: number | null, attempt: string): void {
  const client = useQueryClient()
  /** The entry that is reported, or being reported. */
  const reported = useRef<number | null>(null)
  useEffect(() => {
    if (upTo === null || attempt === '' || reported.current === upTo) return
    reported.current = upTo
    void markRead(client, orderId, upTo).catch(() => {
      if (reported.current === upTo) reported.current = null
    })
  }, [client, orderId, upTo, attempt])
}
