import { useLingui } from '@lingui/react/macro'
import { OwnTextForm } from './OwnTextForm'
import { WithUser } from './WithUser'

/** In characters. */
const LONGEST = 300

/** Changes what takers read in the chat of a new order. */
export default function AutomaticReplyPage() {
  const { t } = useLingui()
  return (
    <WithUser>
      {(user) => (
        <OwnTextForm
          field="automaticReply"
          known={user.automaticReply ?? ''}
          longest={LONGEST}
          label={t`Automatic reply`}
          hint={t`Up to ${LONGEST} characters. Whoever orders from your ads reads it in the chat at once. Leave it empty to send nothing. Don’t include contact details or links.`}
          changed={t`Automatic reply changed`}
        />
      )}
    </WithUser>
  )
}
