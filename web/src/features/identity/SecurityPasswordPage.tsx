import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { api, read } from '@/api/client'
import { isApiError } from '@/api/envelope'
import { currentUser, keys } from '@/api/queries'
import { QueryError } from '@/command/QueryError'
import { useCommand } from '@/command/useCommand'
import { useErrorText } from '@/command/useErrorText'
import { PassProof } from '@/components/pass/PassProof'
import { isApprovalRefused } from '@/components/pass/passChallenges'
import { usePassReturn } from '@/components/pass/usePassReturn'
import { useIsAhead } from '@/lib/clock'
import { hrefTo, useGo, useQueryParam } from '@/navigation/navigation'
import { useSession } from '@/session/session'
import { Button } from '@/ui/Button'
import { Notice } from '@/ui/Card'
import { SecretField } from '@/ui/SecretField'
import { Skeleton } from '@/ui/Skeleton'
import { toast } from '@/ui/toast'
import { EmailCodeField } from './EmailCodeField'
import { HoldNotice } from './HoldNotice'
import { useEntered } from './useEntered'
import { isCode } from './validation'

/** The minimum length, in characters. */
const LEAST = 9

/** How the user proves that they may set the password. */
type Way = 'password' | 'pass' | 'code'

interface Change {
  way: Way
  old: string
  fresh: string
  ticket: string | null
  code: string
}

/** Sets or changes the security password, which authorizes commands that move money. */
export default function SecurityPasswordPage() {
  const known = useQuery({
    queryKey: [...keys.me, 'security'],
    queryFn: () => read(api.GET('/user/hasSecurityCode')),
  })
  if (known.data === undefined) {
    return known.isError ? (
      <QueryError error={known.error} retry={() => void known.refetch()} />
    ) : (
      <Skeleton className="mt-3 h-72 w-full rounded-3xl" />
    )
  }
  return <SecurityForm exists={known.data.has} />
}

function SecurityForm({ exists }: { exists: boolean }) {
  const { t } = useLingui()
  const go = useGo()
  const next = useQueryParam('next')
  const by = useQueryParam('by')
  const chosen: Way = exists && (by === 'pass' || by === 'code') ? by : 'password'
  const here = { next, by: chosen === 'password' ? '' : chosen }
  const [back, putBackAside] = usePassReturn('/updateSecurityPassword', here)
  const [{ resendAt, ticket }, update, forget] = useEntered('securityPassword')
  const [code, setCode] = useState('')
  const userId = useSession((state) => state.userId) ?? ''
  const held = useIsAhead(
    useQuery({ ...currentUser(userId), refetchInterval: false }).data?.holdUntil ?? null,
  )
  // During a hold, the mailbox proves nothing, and neither does the login password, which the mailbox resets.
  const way = chosen === 'code' && held ? 'pass' : chosen
  const needsPass = way === 'pass' || (held && !exists)
  const [old, setOld] = useState('')
  const [fresh, setFresh] = useState('')
  const [again, setAgain] = useState('')
  const [tried, setTried] = useState(false)
  const save = useCommand({
    run: async (input: Change, headers, seal) => {
      const newSecurityCode = await seal(input.fresh)
      const approval = input.ticket === null ? {} : { passTicket: input.ticket }
      const proof = !exists
        ? { password: await seal(input.old), ...approval }
        : input.way === 'pass'
          ? approval
          : input.way === 'code'
            ? { emailCode: input.code }
            : { securityCode: await seal(input.old) }
      return read(api.POST('/user/updateInfo', { body: { newSecurityCode, ...proof }, headers }))
    },
    refused: (error) => {
      if (isApprovalRefused(error)) update({ ticket: null })
      return false
    },
    touches: [keys.me],
    done: () => {
      forget()
      toast(exists ? t`Security password changed` : t`Security password set`)
      // Return to the screen that required the security password.
      go.follow(next === '' ? '/personalCenter' : next)
    },
  })
  const refused = isApiError(save.error) ? save.error.code : ''
  const said = useErrorText(refused === '1013' ? save.error : null, 'command')
  const wrong = {
    old:
      way !== 'password'
        ? ''
        : refused === 'USER3011'
          ? t`Incorrect security password.`
          : refused === '1004'
            ? t`Incorrect login password.`
            : old !== ''
              ? ''
              : exists
                ? t`Enter your current security password.`
                : t`Enter your login password.`,
    fresh:
      refused === 'USER3008'
        ? t`Your security password must be different from your login password.`
        : refused === '1032'
          ? t`The new password must be different from the current one.`
          : Array.from(fresh).length < LEAST
            ? t`Use more than 8 characters.`
            : '',
    again: again === fresh ? '' : t`The passwords don’t match.`,
    code:
      way !== 'code'
        ? ''
        : refused === '1013'
          ? said
          : isCode(code)
            ? ''
            : t`Enter the 6-digit code from the email.`,
  }
  const edit = (set: (value: string) => void) => (value: string) => {
    set(value)
    save.clear()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (needsPass && ticket === null) return
    if (Object.values(wrong).every((text) => text === '')) save.send({ way, old, fresh, ticket, code })
  }
  const shown = tried ? wrong : { old: '', fresh: '', again: '', code: '' }
  return (
    <form onSubmit={submit} noValidate className="mx-auto flex w-full max-w-md flex-col gap-1 pt-3">
      <Notice tone="info" icon={<KeyRound size={18} aria-hidden="true" />}>
        <Trans>
          You’ll need it to release, use or withdraw coins, to change your receiving address, and to cancel
          after paying. MEC2C staff will never ask for it.
        </Trans>
      </Notice>
      <div className="h-4" />
      {needsPass ? (
        <div className="pb-4">
          <PassProof
            purpose="security"
            returnTo={hrefTo('/updateSecurityPassword', { next, by: way === 'pass' ? way : '' })}
            back={back}
            ticket={ticket}
            missing={tried && ticket === null}
            onTicket={(approved) => {
              putBackAside()
              update({ ticket: approved })
              save.clear()
            }}
          />
        </div>
      ) : null}
      {way === 'pass' ? null : way === 'code' ? (
        <EmailCodeField
          email={null}
          purpose="security"
          value={code}
          onChange={edit(setCode)}
          resendAt={resendAt}
          onSent={(_, next) => update({ resendAt: next })}
          error={shown.code}
        />
      ) : exists ? (
        <SecretField
          label={t`Current security password`}
          autoComplete="off"
          value={old}
          onChange={edit(setOld)}
          error={shown.old}
        />
      ) : (
        <SecretField
          label={t`Login password`}
          autoComplete="current-password"
          value={old}
          onChange={edit(setOld)}
          error={shown.old}
          hint={t`Confirms it’s you.`}
        />
      )}
      {exists ? (
        <OtherWays
          way={way}
          held={held}
          onChoose={(other) => {
            go.replace('/updateSecurityPassword', { next, by: other === 'password' ? '' : other })
            save.clear()
          }}
        />
      ) : null}
      <SecretField
        label={t`New security password`}
        autoComplete="new-password"
        maxLength={64}
        value={fresh}
        onChange={edit(setFresh)}
        error={shown.fresh}
        hint={t`More than 8 characters, and different from your login password.`}
      />
      <SecretField
        label={t`Confirm security password`}
        autoComplete="new-password"
        maxLength={64}
        value={again}
        onChange={edit(setAgain)}
        error={shown.again}
      />
      {exists ? <HoldNotice /> : null}
      <div className="h-2" />
      <Button type="submit" size="large" wide busy={save.busy}>
        <Trans>Save</Trans>
      </Button>
    </form>
  )
}

/** The other ways to prove the change. During a hold, the mailbox proves nothing: whoever caused it may have stolen it. */
function OtherWays({ way, held, onChoose }: { way: Way; held: boolean; onChoose: (way: Way) => void }) {
  return (
    <div className="mb-5 flex flex-wrap gap-2">
      {way === 'password' ? null : (
        <Button tone="plain" size="small" onClick={() => onChoose('password')}>
          <Trans>Use the current password</Trans>
        </Button>
      )}
      {way === 'pass' ? null : (
        <Button tone="plain" size="small" onClick={() => onChoose('pass')}>
          <Trans>Use your pass</Trans>
        </Button>
      )}
      {way === 'code' || held ? null : (
        <Button tone="plain" size="small" onClick={() => onChoose('code')}>
          <Trans>Use a code by email</Trans>
        </Button>
      )}
    </div>
  )
}
