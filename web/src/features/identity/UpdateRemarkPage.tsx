import { useLingui } from '@lingui/react/macro'
import { OwnTextForm } from './OwnTextForm'
import { WithUser } from './WithUser'

/** In characters. */
const LONGEST = 100

/** Changes what the user says about themselves to everybody. */
export default function UpdateRemarkPage() {
  const { t } = useLingui()
  return (
    <WithUser>
      {(user) => (
        <OwnTextForm
          field="remark"
          known={user.remark ?? ''}
          longest={LONGEST}
          label={t`About you`}
          hint={t`Up to ${LONGEST} characters. Everyone who opens your page can read it. Don’t include contact details or links.`}
          changed={t`Remark changed`}
        />
      )}
    </WithUser>
  )
}
