import { Trans, useLingui } from '@lingui/react/macro'
import { type FormEvent, useState } from 'react'
import { api, read } from '@/api/client'
import { refusedField } from '@/api/envelope'
import { keys } from '@/api/queries'
import { useCommand } from '@/command/useCommand'
import { useErrorText } from '@/command/useErrorText'
import { useGo } from '@/navigation/navigation'
import { Button } from '@/ui/Button'
import { TextArea } from '@/ui/Field'
import { toast } from '@/ui/toast'
import { WithUser } from './WithUser'

/** In characters. */
const LONGEST = 100

/** Changes what the user says about themselves to everybody. */
export default function UpdateRemarkPage() {
  return <WithUser>{(user) => <RemarkForm known={user.remark ?? ''} />}</WithUser>
}

function RemarkForm({ known }: { known: string }) {
  const { t } = useLingui()
  const go = useGo()
  const [remark, setRemark] = useState(known)
  const save = useCommand({
    run: (text: string, headers) => read(api.POST('/user/updateInfo', { body: { remark: text }, headers })),
    touches: [keys.me],
    done: () => {
      toast(t`Remark changed`)
      go.follow('/personalCenter')
    },
    refused: (error) => refusedField(error) === 'remark',
  })
  const said = useErrorText(refusedField(save.error) === 'remark' ? save.error : null, 'command')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.send(remark.trim())
  }
  return (
    <form onSubmit={submit} noValidate className="mx-auto flex w-full max-w-md flex-col gap-1 pt-3">
      <TextArea
        label={t`About you`}
        value={remark}
        maxLength={LONGEST}
        onChange={(typed) => {
          setRemark(typed)
          save.clear()
        }}
        error={said}
        hint={t`Up to ${LONGEST} characters. Everyone who opens your page can read it. Don’t include contact details or links.`}
      />
      <Button type="submit" size="large" wide busy={save.busy}>
        <Trans>Save</Trans>
      </Button>
    </form>
  )
}
