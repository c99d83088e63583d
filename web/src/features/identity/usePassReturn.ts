import { useEffect, useState } from 'react'
import { type AppPath, type Query, useGo, useQueryParam } from '@/navigation/navigation'
import { forgetChallenge } from './challenge'
import type { PassReturn } from './passReturn'

/**
 * What the pass sent this browser back with, and how to put it aside once it has been dealt with. It is taken out of the
 * address at once: its code is used once.
 */
export function usePassReturn(path: AppPath, rest: Query = {}): [PassReturn | null, () => void] {
  const go = useGo()
  const outcome = useQueryParam('pass')
  const challengeId = useQueryParam('challenge')
  const code = useQueryParam('code')
  const [back, setBack] = useState<PassReturn | null>(() =>
    outcome === '' ? null : { outcome, challengeId, code },
  )
  useEffect(() => {
    if (outcome === '') return
    if (outcome !== 'approved') forgetChallenge(challengeId)
    go.replace(path, rest)
  })
  return [back, () => setBack(null)]
}
