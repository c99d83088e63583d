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

export function CreateDialog({ onClose }: { onClose: () => void }) {
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
          Another administrator must approve the new officer. Then the setup link goes to the officer’s
          mailbox. Until it’s used, no one can sign in with this account.
        </Trans>
      }
      problem={filled ? '' : t`Enter a name and an email address.`}
      touches={TOUCHES}
      input={{ name: name.trim(), email: email.trim(), role }}
      run={(sent, headers) =>
        read(
          api.POST('/console/officers', {
            body: { name: sent.name, email: sent.email, role: sent.role, reason: sent.reason },
            headers,
          }),
        )
      }
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
          {name} is signed out at once. A role that decides more needs the approval of another administrator,
          and {name} then sets up the account again with a link by mail.
        </Trans>
      }
      problem={role === officer.role ? t`Choose another role.` : ''}
      touches={TOUCHES}
      show={showOfficer}
      input={{ role }}
      run={(body, headers) =>
        read(api.POST('/console/officers/{id}', { params: { path: { id: officer.id } }, body, headers }))
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
        read(api.POST('/console/officers/{id}', { params: { path: { id: officer.id } }, body, headers }))
      }
      onClose={onClose}
    />
  )
}

export function ResetDialog({ officer: current, onClose }: Props) {
  const { t } = useLingui()
  const { data: officer, snapshot } = useSnapshot(current)
  const { name } = officer
  return (
    <DecisionDialog
      title={t`Reset ${name}`}
      about={{ version: officer.version, snapshot }}
      confirm={t`Reset`}
      dangerous
      effects={
        <Trans>
          {name} is signed out, and the password and the authenticator app stop working at once. Another
          administrator must approve the reset. Then a new setup link goes to {name}’s mailbox.
        </Trans>
      }
      touches={TOUCHES}
      input={{}}
      run={(body, headers) =>
        read(
          api.POST('/console/officers/{id}/enrollment', {
            params: { path: { id: officer.id } },
            body,
            headers,
          }),
        )
      }
      show={showOfficer}
      onClose={onClose}
    />
  )
}

export function LinkDialog({ officer: current, onClose }: Props) {
  const { t } = useLingui()
  const { data: officer, snapshot } = useSnapshot(current)
  const { name, email } = officer
  const by = officer.appointedBy ?? ''
  const role = useLabels().role(officer.role)
  // What the dialog was opened for, whatever another officer does meanwhile.
  const [approves] = useState(officer.setupLink === 'APPROVE')
  return (
    <DecisionDialog
      title={approves ? t`Approve ${name}` : t`Send the setup link to ${name}`}
      about={{ version: officer.version, snapshot }}
      moot={
        officer.setupLink === 'NOT_NEEDED'
          ? t`${name} no longer needs a setup link.`
          : approves === (officer.setupLink === 'APPROVE')
            ? ''
            : t`${name} has changed meanwhile. Close this and look again.`
      }
      confirm={approves ? t`Approve and send link` : t`Send link`}
      effects={
        approves ? (
          <Trans>
            {by} has created or reset {name} ({role}). Approve only if you know that {email} is this person’s
            own mailbox. The setup link goes there, works once and for 24 hours.
          </Trans>
        ) : (
          <Trans>A new setup link goes to {email} and replaces the earlier one. It works for 24 hours.</Trans>
        )
      }
      touches={TOUCHES}
      show={showOfficer}
      input={{}}
      run={(body, headers) =>
        read(api.POST('/console/officers/{id}/link', { params: { path: { id: officer.id } }, body, headers }))
      }
      onClose={onClose}
    />
  )
}
