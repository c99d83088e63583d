import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { RefreshCw, Smartphone } from 'lucide-react'
import { api, read } from '@/api/client'
import { isApiError, isRetryable } from '@/api/envelope'
import { pollEvery } from '@/api/queries'
import type { PassChallenge, PassResult } from '@/api/types'
import { QueryError } from '@/command/QueryError'
import { Button, buttonClass } from '@/ui/Button'
import { QrCode } from '@/ui/QrCode'
import { Skeleton } from '@/ui/Skeleton'
import { Spinner } from '@/ui/Spinner'
import { createChallenge, type PassPurpose, removeChallenge, storeChallenge } from './passChallenges'
import type { PassRequestEnd } from './passReturn'
import { useRequesterName } from './useRequesterName'

const POLL_MS = 2_000

/** How the request ends, by the code with which the result was refused. */
const ENDS: Record<string, PassRequestEnd> = { '1005': 'declined', '1010': 'failed' }

type Scan =
  | { state: 'waiting' }
  | { state: 'expired' }
  | { state: 'over'; end: PassRequestEnd }
  | { state: 'done' }

async function ask(
  challenge: PassChallenge,
  code: string | null,
  onProven: (result: PassResult) => void,
): Promise<Scan> {
  try {
    const params = { path: { id: challenge.id }, query: code === null ? {} : { code } }
    const result = await read(api.GET('/scan/result/{id}', { params }))
    removeChallenge(challenge.challengeId)
    onProven(result)
    return { state: 'done' }
  } catch (error) {
    if (!isApiError(error) || isRetryable(error)) throw error
    if (error.code === '1009') return { state: 'waiting' }
    removeChallenge(challenge.challengeId)
    // After a redirect there is no QR code to refresh.
    if (error.code === '803') return code === null ? { state: 'expired' } : { state: 'over', end: 'expired' }
    const end = ENDS[error.code]
    if (end === undefined) throw error
    return { state: 'over', end }
  }
}

/** One request to the pass, until it is answered or expires. */
export function PassRequest({
  round,
  purpose,
  returnTo,
  kept,
  code,
  onProven,
  onOver,
  onAgain,
}: {
  round: string
  purpose: PassPurpose
  returnTo: string
  /** The request to continue; null to create a new request. */
  kept: PassChallenge | null
  /** The one-time code with which the pass returned this browser. */
  code: string | null
  onProven: (result: PassResult) => void
  onOver: (end: PassRequestEnd) => void
  onAgain: () => void
}) {
  const { t } = useLingui()
  const made = useQuery({
    queryKey: ['pass', round],
    queryFn: async () => {
      const fresh = await createChallenge(purpose, returnTo)
      storeChallenge(purpose, fresh)
      return fresh
    },
    enabled: kept === null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const challenge = kept ?? made.data
  const answer = useQuery({
    queryKey: ['pass', round, 'result'],
    queryFn: async () => {
      if (challenge === undefined) return { state: 'waiting' } as const
      const now = await ask(challenge, code, onProven)
      if (now.state === 'over') onOver(now.end)
      return now
    },
    enabled: challenge !== undefined,
    refetchInterval: (query) =>
      query.state.data === undefined || query.state.data.state === 'waiting'
        ? pollEvery(POLL_MS)(query)
        : false,
    gcTime: 0,
  })
  if (challenge === undefined) {
    if (made.isError) return <QueryError error={made.error} retry={() => void made.refetch()} />
    return (
      <div className="flex flex-col items-center gap-4">
        <Skeleton className="size-58 rounded-3xl" />
        <Skeleton className="h-12 w-full rounded-2xl" />
      </div>
    )
  }
  if (answer.isError) {
    // A refusal ends the request; other errors may be temporary.
    const retry = isRetryable(answer.error) ? () => void answer.refetch() : onAgain
    return <QueryError error={answer.error} retry={retry} />
  }
  if (code !== null) {
    return (
      <p role="status" className="flex items-center justify-center gap-2 py-14 text-muted">
        <Spinner className="size-4" />
        <Trans>Checking the response from the pass…</Trans>
      </p>
    )
  }
  const expired = answer.data?.state === 'expired'
  return (
    <div className="flex flex-col items-center gap-4">
      <div className="relative">
        <QrCode text={challenge.qrCodeUrl} label={t`QR code for the pass app`} size={200} />
        {expired ? (
          <div className="absolute inset-0 grid place-items-center rounded-3xl bg-canvas/90 p-4 text-center">
            <div role="alert" className="flex flex-col items-center gap-3">
              <p className="font-medium">
                <Trans>The QR code has expired.</Trans>
              </p>
              <Button size="small" onClick={onAgain}>
                <RefreshCw size={17} aria-hidden="true" />
                <Trans>Refresh</Trans>
              </Button>
            </div>
          </div>
        ) : null}
      </div>
      {expired ? null : <WhatThePassShows challenge={challenge} />}
      {expired ? null : (
        <a href={challenge.authorizeUrl} className={buttonClass('plain', 'normal', true)}>
          <Smartphone size={19} aria-hidden="true" />
          <Trans>Open the pass app on this device</Trans>
        </a>
      )}
    </div>
  )
}

/** The browser and number that the user compares with the pass before approving. */
function WhatThePassShows({ challenge }: { challenge: PassChallenge }) {
  const { t } = useLingui()
  const requester = useRequesterName(challenge.requester)
  return (
    <div className="flex w-full flex-col items-center gap-1 text-center">
      <p className="text-muted text-sm">
        <Trans>Scan the QR code with the pass app, then select this number in the app:</Trans>
      </p>
      <output
        aria-label={t`Number to select in the pass app`}
        className="font-bold text-5xl tabular-nums tracking-widest"
      >
        {challenge.number}
      </output>
      <p className="text-muted text-sm">
        <Trans>The pass app should show “{requester}”. If it shows anything else, decline the request.</Trans>
      </p>
    </div>
  )
}
