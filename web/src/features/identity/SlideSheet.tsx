import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useRef, useState } from 'react'
import { api, read } from '@/api/client'
import type { SlideChallenge } from '@/api/types'
import { QueryError } from '@/command/QueryError'
import { useCommand } from '@/command/useCommand'
import { cryptography } from '@/lib/encrypt'
import { Button, IconButton } from '@/ui/Button'
import { Sheet } from '@/ui/Sheet'
import { Skeleton } from '@/ui/Skeleton'
import { ProofOfWorkCheck } from './ProofOfWorkCheck'
import { solveProofOfWork } from './proofOfWork'

/** The slide check: moves a piece of a picture into its gap. */
export default function SlideSheet({
  open,
  onClose,
  onToken,
}: {
  open: boolean
  onClose: () => void
  onToken: (token: string) => void
}) {
  const { t } = useLingui()
  return (
    <Sheet open={open} onClose={onClose} title={t`Security check`}>
      {open ? <Check onToken={onToken} /> : null}
    </Sheet>
  )
}

/** The check with a picture, or with a proof of work for users who cannot see the picture. */
function Check({ onToken }: { onToken: (token: string) => void }) {
  const [alone, setAlone] = useState(false)
  return alone ? (
    <ProofOfWorkCheck onToken={onToken} onPicture={() => setAlone(false)} />
  ) : (
    <>
      <Slide onToken={onToken} />
      <Button tone="quiet" wide onClick={() => setAlone(true)}>
        <Trans>Verify without the picture</Trans>
      </Button>
    </>
  )
}

function Slide({ onToken }: { onToken: (token: string) => void }) {
  const { t } = useLingui()
  const challenge = useQuery({
    queryKey: ['slide'],
    queryFn: () => {
      // Fail early if the browser provides no cryptography, which the check and passwords need.
      cryptography()
      return read(api.GET('/slide'))
    },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  // If the next picture fails to load, there is nothing to solve, because the previous picture is used up.
  if (challenge.isError && !challenge.isRefetching) {
    return <QueryError error={challenge.error} retry={() => void challenge.refetch()} />
  }
  if (challenge.data === undefined || challenge.isRefetching) {
    return <Skeleton className="aspect-[2/1] w-full rounded-2xl" />
  }
  return (
    <div className="flex flex-col gap-4 pb-2">
      <div className="flex items-center justify-between">
        <p className="text-muted">
          <Trans>Slide the piece into place.</Trans>
        </p>
        <IconButton label={t`New picture`} onClick={() => void challenge.refetch()}>
          <RefreshCw size={20} />
        </IconButton>
      </div>
      <Puzzle
        key={challenge.data.id}
        challenge={challenge.data}
        onToken={onToken}
        again={() => void challenge.refetch()}
      />
    </div>
  )
}

/** Returns how far a key moves the piece, in picture pixels. `fine` is true with Shift. */
function stepOf(key: string, fine: boolean): number {
  const step = fine ? 1 : 4
  if (key === 'ArrowRight' || key === 'ArrowUp') return step
  if (key === 'ArrowLeft' || key === 'ArrowDown') return -step
  return key === 'PageUp' ? 40 : key === 'PageDown' ? -40 : 0
}

function Puzzle({
  challenge,
  onToken,
  again,
}: {
  challenge: SlideChallenge
  onToken: (token: string) => void
  again: () => void
}) {
  const { t } = useLingui()
  const [x, setX] = useState(0)
  const trail = useRef<{ t: number; x: number }[]>([])
  const started = useRef(0)
  const [work] = useState(() => solveProofOfWork(challenge.salt, challenge.hash, challenge.most))
  const check = useCommand({
    run: async (left: number, headers) =>
      read(
        api.POST('/slide/verify', {
          body: { id: challenge.id, x: left, trail: trail.current, number: (await work) ?? 0 },
          headers,
        }),
      ),
    done: ({ token }) => onToken(token),
    refused: () => {
      again()
      return false
    },
  })
  const move = (left: number, now: number) => {
    if (trail.current.length === 0) started.current = now
    trail.current = [...trail.current.slice(-199), { t: Math.round(now - started.current), x: left }]
    setX(left)
  }
  const percent = (value: number, of: number) => `${(value / of) * 100}%`
  return (
    <>
      <div
        className="relative overflow-hidden rounded-2xl"
        style={{ aspectRatio: `${challenge.width}/${challenge.height}` }}
      >
        <img
          src={challenge.background}
          alt={t`Landscape with a missing puzzle piece`}
          className="size-full"
        />
        <img
          src={challenge.piece}
          alt=""
          className="absolute"
          style={{
            left: percent(x, challenge.width),
            top: percent(challenge.pieceY, challenge.height),
            width: percent(challenge.pieceWidth, challenge.width),
          }}
        />
      </div>
      <input
        type="range"
        min={0}
        max={challenge.width - challenge.pieceWidth}
        step={1}
        value={x}
        onChange={(event) => move(Number(event.target.value), event.timeStamp)}
        onKeyDown={(event) => {
          const by = stepOf(event.key, event.shiftKey)
          if (by === 0) return
          event.preventDefault()
          const most = challenge.width - challenge.pieceWidth
          move(Math.min(Math.max(x + by, 0), most), event.timeStamp)
        }}
        aria-label={t`Position of the puzzle piece`}
        className="slide h-12 w-full"
      />
      <Button wide busy={check.busy} disabled={x === 0} onClick={() => check.send(x)}>
        <Trans>Verify</Trans>
      </Button>
    </>
  )
}
