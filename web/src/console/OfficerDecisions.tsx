import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { read } from '@/api/createApi'
import { SelectField, TextField } from '@/ui/Field'
import { api } from './client'
import { DecisionDialog } from './DecisionDialog'
import { useLabels } from './labels'
import { OFFICERS, showOfficer } from './queries'
import type { Officer, Role } from './types'
import { useSnapshot } from './useSnapshot'

const ROLES: readonly Role[] = ['CUSTOMER_SERVICE', 'APPEAL_OFFICER', 'ADMINISTRATOR']
const TOUCHES = [OFFICERS]

interface Props {
  officer: Officer
  onClose: () => void
}

interface LinkProps {
  /** Shows the setup link, which exists only in this response. */
  onLink: (link: string) => void
}

function roleOf(value: string): Role {
  return ROLES.find((role) => role === value) ?? 'CUSTOMER_SERVICE'
}

function RoleField({ role, onChange }: { role: Role; onChange: (role: Role) => void }) {
  const { t } = useLingui()
  const labels = useLabels()
  const duties: Record<Role, string> = {
    CUSTOMER_SERVICE: t`Speaks with users in a case, and decides appeals up to a set sum.`,
    APPEAL_OFFICER: t`Decides appeals.`,
    ADMINISTRATOR: t`Manages users, pairs, payouts, maintenance and officers.`,
  }
  return (
    <SelectField
      label={t`Role`}
      value={role}
      onChange={(value) => onChange(roleOf(value))}
      options={ROLES.map((one) => ({ value: one, label: labels.role(one) }))}
      hint={duties[role]}
    />
  )
}

function complete(link: string): string {
  return new URL(link, location.origin).href
}

export function CreateDialog({ onClose, onLink }: { onClose: () => void } & LinkProps) {
  const { t } = useLingui()
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('CUSTOMER_SERVICE')
  const filled = name.trim() !== '' && /^\S+@\S+$/.test(email.trim())
  return (
    <DecisionDialog
      title={t`New officer`}
      confirm={t`Create officer`}
      effects={
        <Trans>
          You get a setup link, with which the officer sets a password and a second factor. Until then, no one
          can sign in with this account.
        </Trans>
      }
      problem={filled ? '' : t`Enter a name and an email address.`}
      touches={TOUCHES}
      input={{ name: name.trim(), email: email.trim(), role }}
      run={(sent, headers) =>
        read(
          api.POST('/ops/officers', {
            body: { name: sent.name, email: sent.email, role: sent.role, reason: sent.reason },
            headers,
          }),
        )
      }
      done={({ link }) => {
        if (link !== null) onLink(complete(link))
      }}
      onClose={onClose}
    >
      <div className="flex flex-col">
        <TextField label={t`Name`} value={name} onChange={setName} maxLength={100} autoFocus />
        <TextField label={t`Email`} type="email" value={email} onChange={setEmail} autoComplete="off" />
        <RoleField role={role} onChange={setRole} />
      </div>
    </DecisionDialog>
  )
}

export function RoleDialog({ officer: current, onClose }: Props) {
  const { t } = useLingui()
  const { data: officer, snapshot } = useSnapshot(current)
  const [chosen, setChosen] = useState<Role | null>(null)
  const role = chosen ?? officer.role
  const { name } = officer
  return (
    <DecisionDialog
      title={t`Role of ${name}`}
      about={{ version: officer.version, snapshot }}
      confirm={t`Change role`}
      dangerous={officer.role === 'ADMINISTRATOR' && role !== 'ADMINISTRATOR'}
      effects={
        <Trans>
          {name} is signed out at once, and has the rights of the new role from the next sign-in on.
        </Trans>
      }
      problem={role === officer.role ? t`Choose another role.` : ''}
      touches={TOUCHES}
      show={showOfficer}
      input={{ role }}
      run={(body, headers) =>
        read(api.POST('/ops/officers/{id}', { params: { path: { id: officer.id } }, body, headers }))
      }
      onClose={onClose}
    >
      <RoleField role={role} onChange={setChosen} />
    </DecisionDialog>
  )
}

export function DisableDialog({ officer: current, onClose }: Props) {
  const { t } = useLingui()
  const { data: officer, snapshot } = useSnapshot(current)
  const { name } = officer
  const disabled = officer.disabledAt !== null
  // What the dialog was opened for, whatever another officer does meanwhile.
  const [disable] = useState(!disabled)
  return (
    <DecisionDialog
      title={disable ? t`Disable ${name}` : t`Enable ${name}`}
      about={{ version: officer.version, snapshot }}
      moot={
        disable !== disabled
          ? ''
          : disable
            ? t`${name} is already disabled. The audit log shows who did it.`
            : t`${name} is already enabled. The audit log shows who did it.`
      }
      confirm={disable ? t`Disable` : t`Enable`}
      dangerous={disable}
      effects={
        disable ? (
          <Trans>
            {name} is signed out at once and can’t sign in. Everything they did stays in the audit log.
          </Trans>
        ) : (
          <Trans>{name} can sign in again with the same password and authenticator app.</Trans>
        )
      }
      touches={TOUCHES}
      show={showOfficer}
      input={{ disabled: disable }}
      run={(body, headers) =>
        read(api.POST('/ops/officers/{id}', { params: { path: { id: officer.id } }, body, headers }))
      }
      onClose={onClose}
    />
  )
}

export function LinkDialog({ officer: current, onClose, onLink }: Props & LinkProps) {
  const { t } = useLingui()
  const { data: officer, snapshot } = useSnapshot(current)
  const { name } = officer
  return (
    <DecisionDialog
      title={t`New setup link for ${name}`}
      about={{ version: officer.version, snapshot }}
      confirm={t`Create link`}
      dangerous
      effects={
        <Trans>
          {name} is signed out, and the password and the authenticator app stop working at once. The new link
          replaces an older one.
        </Trans>
      }
      touches={TOUCHES}
      input={{}}
      run={(body, headers) =>
        read(
          api.POST('/ops/officers/{id}/enrollment', { params: { path: { id: officer.id } }, body, headers }),
        )
      }
      show={(client, { officer: changed }) => showOfficer(client, changed)}
      done={({ link }) => {
        if (link !== null) onLink(complete(link))
      }}
      onClose={onClose}
    />
  )
}
