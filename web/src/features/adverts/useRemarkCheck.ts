import { useQuery } from '@tanstack/react-query'
import { api, read } from '@/api/client'
import { usePaused } from '@/lib/usePaused'
import type { Fault } from './draft'

/** Returns why strangers may not read a remark. While the server has not said so, nothing: it checks again when the ad is created. */
export function useRemarkCheck(typed: string): Fault | undefined {
  const word = usePaused(typed).trim()
  const { data } = useQuery({
    queryKey: ['word', word],
    queryFn: () => read(api.POST('/common/word/valid', { body: { word } })),
    enabled: word !== '',
  })
  if (word === '' || word !== typed.trim() || data?.valid !== false) return undefined
  return { why: data.reason === 'contact information' ? 'contact' : 'words' }
}
