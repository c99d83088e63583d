import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { read } from '@/api/createApi'
import { useFormats } from '@/i18n/format'
import { useNow } from '@/lib/clock'
import { Pill } from '@/ui/Badge'
import { Button } from '@/ui/Button'
import { api } from './client'
import { DataTable } from './DataTable'
import { useLabels } from './labels'
import { CreateDialog, DisableDialog, LinkDialog, ResetDialog, RoleDialog } from './OfficerDecisions'
import { Loaded, Page } from './Page'
import { OFFICERS } from './queries'
import type { Officer } from './types'

type Open = { what: 'create' } | { what: 'role' | 'disable' | 'link' | 'reset'; id: string }

/** All officers. */
export function OfficersPage() {
  const { t } = useLingui()
  const { time } = useFormats()
  const labels = useLabels()
  const [open, setOpen] = useState<Open | null>(null)
  const list = useQuery({ queryKey: OFFICERS, queryFn: () => read(api.GET('/console/officers')) })
  const close = () => setOpen(null)
  const chosen =
    open === null || open.what === 'create' ? undefined : list.data?.find((one) => one.id === open.id)
  return (
    <Page
      title={<Trans>Officers</Trans>}
      actions={
        <Button size="small" onClick={() => setOpen({ what: 'create' })}>
          <UserPlus size={17} aria-hidden="true" />
          <Trans>New officer</Trans>
        </Button>
      }
    >
      <Loaded query={list}>
        {(officers) => (
          <DataTable
            label={t`Officers`}
            rows={officers}
            rowKey={(officer) => officer.id}
            columns={[
              { title: t`Name`, cell: (officer) => <span className="font-medium">{officer.name}</span> },
              { title: t`Email`, cell: (officer) => officer.email },
              { title: t`Role`, cell: (officer) => labels.role(officer.role) },
              { title: t`Status`, cell: (officer) => <OfficerPill officer={officer} /> },
              {
                title: t`Last active`,
                cell: (officer) => (officer.seenAt === null ? '–' : time(officer.seenAt)),
              },
              {
                title: t`Actions`,
                cell: (officer) => (
                  <span className="flex flex-wrap gap-1.5">
                    <Button
                      tone="plain"
                      size="small"
                      onClick={() => setOpen({ what: 'role', id: officer.id })}
                    >
                      <Trans>Role</Trans>
                    </Button>
                    {officer.setupLink === 'APPROVE' || officer.setupLink === 'SEND' ? (
                      <Button
                        tone={officer.setupLink === 'APPROVE' ? 'brand' : 'plain'}
                        size="small"
                        onClick={() => setOpen({ what: 'link', id: officer.id })}
                      >
                        {officer.setupLink === 'APPROVE' ? <Trans>Approve</Trans> : <Trans>Send link</Trans>}
                      </Button>
                    ) : null}
                    <Button
                      tone="plain"
                      size="small"
                      onClick={() => setOpen({ what: 'reset', id: officer.id })}
                    >
                      <Trans>Reset</Trans>
                    </Button>
                    <Button
                      tone="plain"
                      size="small"
                      onClick={() => setOpen({ what: 'disable', id: officer.id })}
                    >
                      {officer.disabledAt === null ? <Trans>Disable</Trans> : <Trans>Enable</Trans>}
                    </Button>
                  </span>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      {open?.what === 'create' ? <CreateDialog onClose={close} /> : null}
      {open === null || chosen === undefined ? null : open.what === 'role' ? (
        <RoleDialog officer={chosen} onClose={close} />
      ) : open.what === 'disable' ? (
        <DisableDialog officer={chosen} onClose={close} />
      ) : open.what === 'reset' ? (
        <ResetDialog officer={chosen} onClose={close} />
      ) : open.what === 'link' ? (
        <LinkDialog officer={chosen} onClose={close} />
      ) : null}
    </Page>
  )
}

function OfficerPill({ officer }: { officer: Officer }) {
  const now = useNow()
  if (officer.disabledAt !== null) {
    return (
      <Pill tone="danger">
        <Trans>Disabled</Trans>
      </Pill>
    )
  }
  if (officer.enrolledAt !== null) {
    return (
      <Pill tone="good">
        <Trans>Active</Trans>
      </Pill>
    )
  }
  if (officer.awaitsApproval) {
    return (
      <span className="flex flex-col items-start gap-1">
        <Pill tone="warn">
          <Trans>Awaits approval</Trans>
        </Pill>
        {officer.setupLink === 'ANOTHER_ADMINISTRATOR' ? (
          <span className="text-muted text-sm">
            <Trans>by another administrator</Trans>
          </span>
        ) : null}
      </span>
    )
  }
  const expired = officer.linkExpiresAt === null || Date.parse(officer.linkExpiresAt) <= now
  return expired ? (
    <Pill tone="warn">
      <Trans>Setup link expired</Trans>
    </Pill>
  ) : (
    <Pill tone="info">
      <Trans>Invited</Trans>
    </Pill>
  )
}
