import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { api, read } from '@/api/client'
import { keys } from '@/api/queries'
import type { UserInfo } from '@/api/types'
import { useCommand } from '@/command/useCommand'
import { useErrorText } from '@/command/useErrorText'
import { useFormats } from '@/i18n/format'
import { useNow } from '@/lib/clock'
import { Button } from '@/ui/Button'
import { TextField } from '@/ui/Field'
import { Sheet } from '@/ui/Sheet'
import { toast } from '@/ui/toast'

/** The minimum length, in characters. The server also checks scripts and similarity to other nicknames. */
const SHORTEST = 3
const LONGEST = 20

/** Returns the fault that can be found without the server, if any. */
function faultOf(name: string): 'empty' | 'characters' | 'short' | null {
  if (name === '') return 'empty'
  if (!/^[\p{L}\p{N}\p{M}]+$/u.test(name)) return 'characters'
  return Array.from(name).length < SHORTEST ? 'short' : null
}

/** Sets the public name, which users can change once a week. */
export function NicknameSheet({
  user,
  open,
  onClose,
  onSaved,
}: {
  user: UserInfo
  open: boolean
  onClose: () => void
  onSaved: () => void
}) {
  const { t } = useLingui()
  const { time } = useFormats()
  const [name, setName] = useState(user.nickname ?? '')
  const [tried, setTried] = useState(false)
  const change = useCommand({
    run: (nickname: string, headers) => read(api.POST('/user/updateInfo', { body: { nickname }, headers })),
    touches: [keys.me],
    done: () => {
      toast(t`Nickname changed`)
      onSaved()
    },
    refused: () => true,
  })
  const refusal = useErrorText(change.error, 'command')
  const faults = {
    empty: t`Enter a nickname.`,
    characters: t`Use letters and numbers only.`,
    short: t`Use at least ${SHORTEST} characters.`,
  }
  const found = faultOf(name)
  const fault = found === null ? '' : faults[found]
  const wait = user.nicknameChangeableAt
  const now = useNow()
  const locked = user.nickname !== null && wait !== null && Date.parse(wait) > now
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t`Nickname`}
      footer={
        <Button
          size="large"
          wide
          busy={change.busy}
          disabled={locked}
          onClick={() => {
            setTried(true)
            if (fault === '') change.send(name)
          }}
        >
          <Trans>Save</Trans>
        </Button>
      }
    >
      <TextField
        label={t`Public name`}
        value={name}
        maxLength={LONGEST}
        autoComplete="nickname"
        disabled={locked}
        onChange={(value) => {
          setName(value)
          change.clear()
        }}
        error={refusal !== '' ? refusal : tried ? fault : ''}
        hint={
          locked
            ? t`You can change it again from ${time(wait)}.`
            : t`Use ${SHORTEST} to ${LONGEST} letters or numbers from one writing system. You can change it once a week.`
        }
      />
    </Sheet>
  )
}
