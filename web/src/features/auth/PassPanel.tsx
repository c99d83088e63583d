import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { RefreshCw, Smartphone } from 'lucide-react'
import { api, read } from '@/api/client'
import { isApiError } from '@/api/envelope'
import { every } from '@/api/queries'
import type { PassResult } from '@/api/types'
import { QueryError } from '@/command/QueryError'
import { deviceId } from '@/session/session'
import { Button, buttonClass } from '@/ui/Button'
import { QrCode } from '@/ui/QrCode'
import { Skeleton } from '@/ui/Skeleton'
import { Spinner } from '@/ui/Spinner'
import { keepChallenge, keptChallenge } from './challenge'

const POLL_MS = 2_000

type Scan = { state: 'waiting' } | { state: 'expired' } | { state: 'done'; result: PassResult }

async function scan(id: string): Promise<Scan> {
  try {
    return { state: 'done', result: await read(api.GET('/scan/result/{id}', { params: { path: { id } } })) }
  } catch (error) {
    if (isApiError(error) && error.code === '1009') return { state: 'waiting' }
    if (isApiError(error) && error.code === '803') return { state: 'expired' }
    throw error
  }
}

/** The pass: scanned from another device, or opened on this one. Whoever asked for it goes on with what it proved. */
export function PassPanel({
  purpose,
  onProven,
}: {
  purpose: 'login' | 'register'
  onProven: (result: PassResult) => void
}) {
  const { t } = useLingui()
  const challenge = useQuery({
    queryKey: ['pass', purpose],
    queryFn: async () => {
      const kept = keptChallenge(purpose)
      if (kept !== null) return kept
      const made = await read(
        api.GET('/scan/genQrCodeUrl/{id}', {
          params: { path: { id: deviceId() }, query: { purpose, returnTo: `/${purpose}` } },
        }),
      )
      keepChallenge(purpose, made)
      return made
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const id = challenge.data?.id ?? ''
  const answer = useQuery({
    queryKey: ['pass', 'result', id],
    queryFn: async () => {
      const now = await scan(id)
      if (now.state === 'done') {
        keepChallenge(purpose, null)
        onProven(now.result)
      }
      return now
    },
    enabled: id !== '',
    refetchInterval: (query) =>
      query.state.data === undefined || query.state.data.state === 'waiting' ? every(POLL_MS)(query) : false,
    gcTime: 0,
  })
  const refresh = () => {
    keepChallenge(purpose, null)
    void challenge.refetch()
  }
  if (challenge.data === undefined) {
    if (challenge.isError) return <QueryError error={challenge.error} retry={refresh} />
    return (
      <div className="flex flex-col items-center gap-4">
        <Skeleton className="size-58 rounded-3xl" />
        <Skeleton className="h-12 w-full rounded-2xl" />
      </div>
    )
  }
  const expired = answer.data?.state === 'expired'
  return (
    <div className="flex flex-col items-center gap-4">
      <div className="relative">
        <QrCode text={challenge.data.qrCodeUrl} label={t`QR code for the pass app`} size={200} />
        {expired ? (
          <div className="absolute inset-0 grid place-items-center rounded-3xl bg-canvas/90 p-4 text-center">
            <div role="alert" className="flex flex-col items-center gap-3">
              <p className="font-medium">
                <Trans>The QR code has expired.</Trans>
              </p>
              <Button size="small" onClick={refresh}>
                <RefreshCw size={17} aria-hidden="true" />
                <Trans>Refresh</Trans>
              </Button>
            </div>
          </div>
        ) : null}
      </div>
      {answer.isError ? (
        <QueryError error={answer.error} retry={() => void answer.refetch()} />
      ) : expired ? null : (
        <p role="status" className="flex items-center gap-2 text-muted text-sm">
          <Spinner className="size-4" />
          <Trans>Scan it with the pass app and approve the request there.</Trans>
        </p>
      )}
      {expired ? null : (
        <a href={challenge.data.authorizeUrl} className={buttonClass('plain', 'normal', true)}>
          <Smartphone size={19} aria-hidden="true" />
          <Trans>Open the pass on this device</Trans>
        </a>
      )}
    </div>
  )
}
