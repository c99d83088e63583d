import { Trans } from '@lingui/react/macro'
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

/** Changes a text that the user shows to others. */
export function OwnTextForm({
  field,
  known,
  label,
  hint,
  longest,
  changed,
}: {
  field: 'remark' | 'automaticReply'
  known: string
  label: string
  hint: string
  /** In characters. */
  longest: number
  /** What a toast says once it is changed. */
  changed: string
}) {
  const go = useGo()
  const [text, setText] = useState(known)
  const save = useCommand({
    run: (sent: string, headers) => read(api.POST('/user/updateInfo', { body: { [field]: sent }, headers })),
    touches: [keys.me],
    done: () => {
      toast(changed)
      go.follow('/personalCenter')
    },
    refused: (error) => refusedField(error) === field,
  })
  const said = useErrorText(refusedField(save.error) === field ? save.error : null, 'command')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.send(text.trim())
  }
  return (
    <form onSubmit={submit} noValidate className="mx-auto flex w-full max-w-md flex-col gap-1 pt-3">
      <TextArea
        label={label}
        value={text}
        maxLength={longest}
        onChange={(typed) => {
          setText(typed)
          save.clear()
        }}
        error={said}
        hint={hint}
      />
      <Button type="submit" size="large" wide busy={save.busy}>
        <Trans>Save</Trans>
      </Button>
    </form>
  )
}
