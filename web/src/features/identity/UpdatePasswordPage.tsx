import { Trans, useLingui } from '@lingui/react/macro'
import { type FormEvent, useState } from 'react'
import { api, read } from '@/api/client'
import { refusedField } from '@/api/envelope'
import { keys } from '@/api/queries'
import { useCommand } from '@/command/useCommand'
import { useErrorText } from '@/command/useErrorText'
import { AppLink, useGo } from '@/navigation/navigation'
import { ActionBar } from '@/ui/ActionBar'
import { Button } from '@/ui/Button'
import { toast } from '@/ui/toast'
import { HoldNotice } from './HoldNotice'
import { isWrongLoginPassword, LoginPasswordField } from './LoginPasswordField'
import { isComplete, NewPasswordFields, NO_PASSWORD } from './NewPasswordFields'

/** Changes the login password. */
export default function UpdatePasswordPage() {
  const { t } = useLingui()
  const go = useGo()
  const [old, setOld] = useState('')
  const [fresh, setFresh] = useState(NO_PASSWORD)
  const [tried, setTried] = useState(false)
  const save = useCommand({
    run: async (input: { old: string; fresh: string }, headers, seal) =>
      read(
        api.POST('/user/updateInfo', {
          body: { password: await seal(input.old), newPassword: await seal(input.fresh) },
          headers,
        }),
      ),
    touches: [keys.me],
    done: () => {
      toast(t`Password changed`)
      go.follow('/personalCenter')
    },
    refused: (error) => isWrongLoginPassword(error) || refusedField(error) === 'newPassword',
  })
  const said = useErrorText(save.error, 'command')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (old !== '' && isComplete(fresh)) save.send({ old, fresh: fresh.password })
  }
  return (
    <form onSubmit={submit} noValidate className="mx-auto flex w-full max-w-md flex-col gap-1 pt-3">
      <LoginPasswordField
        label={t`Current password`}
        value={old}
        onChange={setOld}
        tried={tried}
        command={save}
        aside={
          <AppLink to="/forgot" className="-my-2 inline-flex min-h-11 items-center font-medium text-brand">
            <Trans>Forgot password?</Trans>
          </AppLink>
        }
      />
      <NewPasswordFields
        label={t`New password`}
        value={fresh}
        onChange={(typed) => {
          setFresh(typed)
          save.clear()
        }}
        tried={tried}
        refused={refusedField(save.error) === 'newPassword' ? said : ''}
      />
      <HoldNotice />
      <ActionBar nav>
        <Button type="submit" size="large" wide busy={save.busy}>
          <Trans>Change password</Trans>
        </Button>
      </ActionBar>
    </form>
  )
}
