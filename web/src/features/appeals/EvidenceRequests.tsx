import { Trans, useLingui } from '@lingui/react/macro'
import { CircleCheck, FileQuestion } from 'lucide-react'
import type { Appeal, EvidenceRequest } from '@/api/types'
import { useFormats } from '@/i18n/format'
import { useIsAhead } from '@/lib/clock'
import { Button } from '@/ui/Button'
import { Card, Notice } from '@/ui/Card'
import { Countdown } from '@/ui/Countdown'
import { EVIDENCE_KINDS } from './labels'

/** What officers have asked the user to prove. `add` opens the form for evidence; null if none can be added. */
export function EvidenceRequests({ appeal, add }: { appeal: Appeal; add: (() => void) | null }) {
  return appeal.evidenceRequests.map((request) =>
    request.answeredAt === null ? (
      <Asked key={request.id} request={request} add={add} />
    ) : (
      <Answered key={request.id} request={request} at={request.answeredAt} />
    ),
  )
}

function Asked({ request, add }: { request: EvidenceRequest; add: (() => void) | null }) {
  const { time } = useFormats()
  const intime = useIsAhead(request.dueAt)
  return (
    <Card className="flex flex-col gap-3">
      <h3 className="flex items-center gap-2 font-semibold">
        <FileQuestion size={20} aria-hidden="true" className="shrink-0 text-warn" />
        <Trans>An officer asks you for evidence</Trans>
      </h3>
      <Words request={request} />
      <Notice tone={intime ? 'warn' : 'danger'}>
        {intime ? (
          <Trans>
            Add it by {time(request.dueAt)}: <Countdown deadline={request.dueAt} /> left.
          </Trans>
        ) : (
          <Trans>
            It was due by {time(request.dueAt)}. You can still add it, but the officer may decide without it.
          </Trans>
        )}
      </Notice>
      {add === null ? null : (
        <Button size="large" wide onClick={add}>
          <Trans>Add this evidence</Trans>
        </Button>
      )}
    </Card>
  )
}

function Answered({ request, at }: { request: EvidenceRequest; at: string }) {
  const { time } = useFormats()
  return (
    <Card className="flex flex-col gap-2">
      <h3 className="flex items-center gap-2 font-semibold">
        <CircleCheck size={20} aria-hidden="true" className="shrink-0 text-brand" />
        <Trans>You answered the officer’s request</Trans>
      </h3>
      <Words request={request} />
      <p className="text-muted text-sm">
        <Trans>You added evidence at {time(at)}.</Trans>
      </p>
    </Card>
  )
}

/** What the officer asks for: its name in the user's language, and the officer's own words. */
function Words({ request }: { request: EvidenceRequest }) {
  const { t } = useLingui()
  return (
    <div>
      {request.kind === 'OTHER' ? null : <p className="font-medium">{t(EVIDENCE_KINDS[request.kind])}</p>}
      {request.details === null ? null : (
        <p className="whitespace-pre-wrap leading-relaxed [overflow-wrap:anywhere]">{request.details}</p>
      )}
    </div>
  )
}
