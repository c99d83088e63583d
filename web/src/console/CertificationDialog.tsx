import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { completed } from '@/api/createApi'
import { RadioCards } from '@/ui/RadioCards'
import { api } from './client'
import { DecisionDialog } from './DecisionDialog'
import { CERTIFICATIONS, userKey } from './queries'
import type { PendingCertification } from './types'
import { useSnapshot } from './useSnapshot'
import { WAITING } from './waiting'

const NAMES: Record<PendingCertification['checks'][number]['requirement'], MessageDescriptor> = {
  ADVANCED_VERIFICATION: msg`Advanced verification`,
  SECURITY_PASSWORD: msg`Security password`,
  PAYMENT_METHOD: msg`Payment method`,
  ACCOUNT_AGE: msg`Age of the account`,
  COMPLETED_ORDERS: msg`Completed orders`,
  COMPLETION_RATE: msg`Success rate`,
  REPUTATION: msg`Credit score`,
  NO_RESTRICTION: msg`No restriction or hold`,
}

/** The requirements that the user does not meet now. */
export function Checks({ checks }: Pick<PendingCertification, 'checks'>) {
  const { t } = useLingui()
  const missing = checks.filter(({ met }) => !met).map(({ requirement }) => t(NAMES[requirement]))
  return missing.length === 0 ? '–' : <span className="text-warn">{missing.join(', ')}</span>
}

/** The decision about an application. */
export function CertificationDialog({
  application: current,
  moot,
  onClose,
}: {
  application: PendingCertification
  /** Whether the application no longer waits. */
  moot: boolean
  onClose: () => void
}) {
  const { t } = useLingui()
  const { data: application, snapshot } = useSnapshot(current)
  const [verdict, setVerdict] = useState<'APPROVE' | 'REJECT' | null>(null)
  const { id, user, checks } = application
  const name = user.nickname ?? user.id
  const unmet = checks.some(({ met }) => !met)
  return (
    <DecisionDialog
      title={t`Certification of ${name}`}
      moot={moot ? t`Another officer has decided this application.` : ''}
      choice={
        <div className="[&>fieldset]:mt-0 [&>fieldset]:grid [&>fieldset]:grid-cols-2">
          <RadioCards
            name="verdict"
            legend={<span className="sr-only">{t`Decision`}</span>}
            value={verdict}
            onChange={setVerdict}
            options={[
              { value: 'APPROVE', title: t`Approve` },
              { value: 'REJECT', title: t`Reject` },
            ]}
          />
        </div>
      }
      effects={
        verdict === 'APPROVE' ? (
          unmet ? (
            <>
              <Trans>Can’t be approved now. Not met:</Trans> <Checks checks={checks} />
            </>
          ) : (
            <Trans>{name} can post ads against fiat at once, and all users see the badge.</Trans>
          )
        ) : verdict === 'REJECT' ? (
          <Trans>{name} is told, and can apply again after seven days.</Trans>
        ) : (
          <Trans>Choose a result to see what it does. Nothing changes yet.</Trans>
        )
      }
      confirm={
        verdict === null
          ? t`Save the decision`
          : verdict === 'REJECT'
            ? t`Reject the application`
            : t`Certify ${name}`
      }
      dangerous={verdict === 'REJECT'}
      problem={
        verdict === null
          ? t`Approve or reject the application.`
          : verdict === 'APPROVE' && unmet
            ? t`A requirement is not met.`
            : ''
      }
      reasonHint={t`The user sees this reason. It’s also in the audit log.`}
      touches={[CERTIFICATIONS, userKey(user.id), WAITING]}
      about={{ version: application.version, snapshot }}
      input={{ verdict: verdict ?? 'REJECT' }}
      run={(body, headers) =>
        completed(
          api.POST('/console/certifications/{id}/decision', { params: { path: { id } }, body, headers }),
        )
      }
      onClose={onClose}
    />
  )
}
