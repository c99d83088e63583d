import { useEffect, useState } from 'react'
import { type AppPath, type Query, useGo, useQueryParam } from '@/navigation/navigation'
import { removeChallenge } from './passChallenges'
import type { PassReturn } from './passReturn'

/**
 * Returns the parameters with which the pass returned this browser, and a function that discards them. Removes them
 * from the address at once, because the code can be used only once.
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
    if (outcome !== 'approved') removeChallenge(challengeId)
    go.replace(path, rest)
  })
  return [back, () => setBack(null)]
}
