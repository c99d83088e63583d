import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { BadgeCheck, ChevronRight, CircleCheck, CircleDashed } from 'lucide-react'
import type { ReactNode } from 'react'
import { api, read } from '@/api/client'
import { keys, pollEvery } from '@/api/queries'
import type { Certification, CertificationCheck } from '@/api/types'
import { QueryError } from '@/command/QueryError'
import { StaleNotice } from '@/command/StaleNotice'
import { useCommand } from '@/command/useCommand'
import { useFormats } from '@/i18n/format'
import { AppLink, type AppPath } from '@/navigation/navigation'
import { ActionBar } from '@/ui/ActionBar'
import { Button } from '@/ui/Button'
import { Card, CardTitle, Notice } from '@/ui/Card'
import { Skeleton } from '@/ui/Skeleton'
import { toast } from '@/ui/toast'

/** What a requirement asks for, and the screen where the user can do something about it. */
function useRequirement({ requirement, has, needed }: CertificationCheck): { text: ReactNode; to?: AppPath } {
  const { count, percent } = useFormats()
  const [have, need] = [has ?? 0, needed ?? 0]
  const share = (value: number) => percent(String(value / 100))
  switch (requirement) {
    case 'ADVANCED_VERIFICATION':
      return { text: <Trans>Advanced verification in the pass app</Trans> }
    case 'SECURITY_PASSWORD':
      return { text: <Trans>A security password</Trans>, to: '/updateSecurityPassword' }
    case 'PAYMENT_METHOD':
      return { text: <Trans>A payment method</Trans>, to: '/paymentMethod' }
    case 'ACCOUNT_AGE':
      return {
        text: (
          <Trans>
            An account of at least <Plural value={need} one="# day" other="# days" />. Yours:{' '}
            <Plural value={have} one="# day" other="# days" />
          </Trans>
        ),
      }
    case 'COMPLETED_ORDERS':
      return {
        text: (
          <Trans>
            {count(need)} completed orders in 30 days. You have {count(have)}
          </Trans>
        ),
        to: '/',
      }
    case 'COMPLETION_RATE':
      return {
        text: (
          <Trans>
            A completion rate of {share(need)} in 30 days. Yours: {share(have)}
          </Trans>
        ),
      }
    case 'REPUTATION':
      return {
        text: (
          <Trans>
            A credit score of {count(need)}. Yours: {count(have)}
          </Trans>
        ),
      }
    case 'NO_RESTRICTION':
      return { text: <Trans>No restriction and no hold on your account</Trans> }
  }
}

function Requirement({ check }: { check: CertificationCheck }) {
  const { t } = useLingui()
  const { text, to } = useRequirement(check)
  const Icon = check.met ? CircleCheck : CircleDashed
  return (
    <li className="flex min-h-11 items-center gap-3 py-1.5">
      <Icon
        size={20}
        role="img"
        aria-label={check.met ? t`Met` : t`Not met yet`}
        className={`shrink-0 ${check.met ? 'text-brand' : 'text-warn'}`}
      />
      {check.met || to === undefined ? (
        <span className="min-w-0 [overflow-wrap:anywhere]">{text}</span>
      ) : (
        <AppLink
          to={to}
          className="flex min-h-11 min-w-0 flex-1 items-center justify-between gap-2 underline"
        >
          <span className="min-w-0 [overflow-wrap:anywhere]">{text}</span>
          <ChevronRight size={16} className="shrink-0" aria-hidden="true" />
        </AppLink>
      )}
    </li>
  )
}

/** What has become of the application, or that there is none yet. */
function Status({ data }: { data: Certification }) {
  const { day, time } = useFormats()
  const { application } = data
  if (data.certified)
    return (
      <Notice tone="good" icon={<BadgeCheck size={18} aria-hidden="true" />}>
        <Trans>You’re a certified trader. You can post ads against fiat currencies.</Trans>
      </Notice>
    )
  if (application?.status === 'PENDING')
    return (
      <Notice tone="info">
        <Trans>
          You applied on {time(application.appliedAt)}. An officer looks at your application, and you’ll be
          told here.
        </Trans>
      </Notice>
    )
  if (application?.status === 'REJECTED')
    return (
      <Notice tone="warn">
        <p>
          <Trans>
            Your application was rejected on {day(application.decidedAt ?? '')}: {application.reason}
          </Trans>
        </p>
        {data.applyFrom === null ? null : (
          <p className="mt-1">
            <Trans>You can apply again from {time(data.applyFrom)}.</Trans>
          </p>
        )}
      </Notice>
    )
  return null
}

/** What certification takes, and the application for it. */
export default function CertificationPage() {
  const { t } = useLingui()
  const query = useQuery({
    queryKey: keys.certification,
    queryFn: () => read(api.GET('/user/certification')),
    refetchInterval: pollEvery(30_000),
  })
  const apply = useCommand({
    run: (_: null, headers) => read(api.POST('/user/certification', { body: {}, headers })),
    touches: [keys.certification],
    done: () => toast(t`Application sent`),
  })
  const { data } = query
  if (data === undefined)
    return query.isError ? (
      <QueryError error={query.error} retry={() => void query.refetch()} />
    ) : (
      <div className="flex flex-col gap-4 pt-2" aria-hidden="true">
        <Skeleton className="h-16 w-full rounded-2xl" />
        <Skeleton className="h-96 w-full rounded-3xl" />
      </div>
    )
  const pending = data.application?.status === 'PENDING'
  const missing = data.checks.filter((check) => !check.met).length
  return (
    <div className="flex flex-col gap-4 pt-2">
      <StaleNotice query={query} />
      <Status data={data} />
      <p className="text-muted">
        <Trans>
          Certified traders may post ads against fiat currencies, and takers see their badge. An officer
          decides each application.
        </Trans>
      </p>
      <Card>
        <CardTitle>
          <Trans>What it takes</Trans>
        </CardTitle>
        <ul>
          {data.checks.map((check) => (
            <Requirement key={check.requirement} check={check} />
          ))}
        </ul>
      </Card>
      {data.certified || pending ? null : (
        <ActionBar>
          {missing > 0 && data.applyFrom === null ? (
            <p className="mb-2 text-center text-muted text-sm">
              <Plural
                value={missing}
                one="# requirement is not met yet."
                other="# requirements are not met yet."
              />
            </p>
          ) : null}
          <Button wide busy={apply.busy} disabled={!data.mayApply} onClick={() => apply.send(null)}>
            <Trans>Apply for certification</Trans>
          </Button>
        </ActionBar>
      )}
    </div>
  )
}
