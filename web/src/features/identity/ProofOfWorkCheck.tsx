import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { api, read } from '@/api/client'
import { QueryError } from '@/command/QueryError'
import { cryptography } from '@/lib/encrypt'
import { Button } from '@/ui/Button'
import { Spinner } from '@/ui/Spinner'
import { solveProofOfWork } from './proofOfWork'

/** The security check that needs neither eyesight nor a pointer: the browser does a longer proof of work. */
export function ProofOfWorkCheck({
  onToken,
  onPicture,
}: {
  onToken: (token: string) => void
  onPicture: () => void
}) {
  const check = useQuery({
    queryKey: ['slide', 'work'],
    queryFn: async ({ signal }) => {
      // Fail early if the browser provides no cryptography, which the check and passwords need.
      cryptography()
      const { id, salt, hash, most } = await read(api.GET('/slide/work', { signal }))
      const number = (await solveProofOfWork(salt, hash, most, undefined, signal)) ?? 0
      return read(api.POST('/slide/work/verify', { body: { id, number }, signal }))
    },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const token = check.data?.token
  const finish = useEffectEvent(onToken)
  useEffect(() => {
    if (token !== undefined) finish(token)
  }, [token])
  if (check.isError && !check.isRefetching) {
    return <QueryError error={check.error} retry={() => void check.refetch()} />
  }
  return (
    <div className="flex flex-col gap-4 pb-2">
      <p role="status" className="flex items-center gap-3 leading-relaxed">
        <Spinner />
        <span>
          <Trans>
            Your device is completing the check for you. This can take up to a minute, and there’s nothing for
            you to do.
          </Trans>
        </span>
      </p>
      <Button tone="quiet" wide onClick={onPicture}>
        <Trans>Use the picture instead</Trans>
      </Button>
    </div>
  )
}
