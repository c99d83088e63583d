import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { read } from '@/api/createApi'
import { useFormats } from '@/i18n/format'
import { useNow } from '@/lib/clock'
import { Pill } from '@/ui/Badge'
import { Button } from '@/ui/Button'
import { Notice } from '@/ui/Card'
import { CopyRow } from '@/ui/CopyButton'
import { Dialog } from '@/ui/Dialog'
import { api } from './client'
import { DataTable } from './DataTable'
import { useLabels } from './labels'
import { CreateDialog, DisableDialog, LinkDialog, RoleDialog } from './OfficerDecisions'
import { Loaded, Page } from './Page'
import { OFFICERS } from './queries'
import type { Officer } from './types'

type Open = { what: 'create' } | { what: 'role' | 'disable' | 'link'; id: string }

/** All officers. */
export function OfficersPage() {
  const { t } = useLingui()
  const { time } = useFormats()
  const labels = useLabels()
  const [open, setOpen] = useState<Open | null>(null)
  const [link, setLink] = useState<string | null>(null)
  const list = useQuery({ queryKey: OFFICERS, queryFn: () => read(api.GET('/ops/officers')) })
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
                    <Button
                      tone="plain"
                      size="small"
                      onClick={() => setOpen({ what: 'link', id: officer.id })}
                    >
                      <Trans>New link</Trans>
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
      {open?.what === 'create' ? <CreateDialog onClose={close} onLink={setLink} /> : null}
      {open === null || chosen === undefined ? null : open.what === 'role' ? (
        <RoleDialog officer={chosen} onClose={close} />
      ) : open.what === 'disable' ? (
        <DisableDialog officer={chosen} onClose={close} />
      ) : (
        <LinkDialog officer={chosen} onClose={close} onLink={setLink} />
      )}
      <Dialog open={link !== null} onClose={() => setLink(null)} title={t`Setup link`}>
        <div className="flex flex-col gap-3">
          <Notice tone="warn">
            <Trans>
              Send this link to the officer in a safe way. Whoever opens it first can sign in as this officer.
              It works once and for 24 hours, and isn’t shown again.
            </Trans>
          </Notice>
          <dl>
            <CopyRow label={t`Setup link`} value={link ?? ''} />
          </dl>
        </div>
      </Dialog>
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
