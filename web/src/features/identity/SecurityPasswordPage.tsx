import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { api, read } from '@/api/client'
import { isApiError } from '@/api/envelope'
import { keys } from '@/api/queries'
import { QueryError } from '@/command/QueryError'
import { useCommand } from '@/command/useCommand'
import { PassProof } from '@/components/pass/PassProof'
import { pendingChallenge } from '@/components/pass/passChallenges'
import { usePassReturn } from '@/components/pass/usePassReturn'
import { hrefTo, useGo, useQueryParam } from '@/navigation/navigation'
import { Button } from '@/ui/Button'
import { Notice } from '@/ui/Card'
import { SecretField } from '@/ui/SecretField'
import { Skeleton } from '@/ui/Skeleton'
import { toast } from '@/ui/toast'

/** The minimum length, in characters. */
const LEAST = 9

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
  const [back] = usePassReturn('/updateSecurityPassword', { next })
  const [byPass, setByPass] = useState(() => back !== null || pendingChallenge('security') !== null)
  const [ticket, setTicket] = useState<string | null>(null)
  const [old, setOld] = useState('')
  const [fresh, setFresh] = useState('')
  const [again, setAgain] = useState('')
  const [tried, setTried] = useState(false)
  const save = useCommand({
    run: async (input: { old: string; fresh: string; ticket: string | null }, headers, seal) =>
      read(
        api.POST('/user/updateInfo', {
          body: {
            newSecurityCode: await seal(input.fresh),
            ...(input.ticket !== null
              ? { passTicket: input.ticket }
              : exists
                ? { securityCode: await seal(input.old) }
                : { password: await seal(input.old) }),
          },
          headers,
        }),
      ),
    touches: [keys.me],
    done: () => {
      toast(exists ? t`Security password changed` : t`Security password set`)
      // Return to the screen that required the security password.
      go.follow(next === '' ? '/personalCenter' : next)
    },
  })
  const refused = isApiError(save.error) ? save.error.code : ''
  const wrong = {
    old:
      refused === 'USER3011'
        ? t`Incorrect security password.`
        : refused === '1004'
          ? t`Incorrect login password.`
          : old !== '' || byPass
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
  }
  const edit = (set: (value: string) => void) => (value: string) => {
    set(value)
    save.clear()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (byPass && ticket === null) return
    if (Object.values(wrong).every((text) => text === '')) save.send({ old, fresh, ticket })
  }
  const shown = tried ? wrong : { old: '', fresh: '', again: '' }
  return (
    <form onSubmit={submit} noValidate className="mx-auto flex w-full max-w-md flex-col gap-1 pt-3">
      <Notice tone="info" icon={<KeyRound size={18} aria-hidden="true" />}>
        <Trans>
          You’ll need it to release, use or withdraw coins, to change your receiving address, and to cancel
          after paying. MEC2C staff will never ask for it.
        </Trans>
      </Notice>
      <div className="h-4" />
      {byPass ? (
        <div className="pb-4">
          <PassProof
            purpose="security"
            returnTo={hrefTo('/updateSecurityPassword', { next })}
            back={back}
            ticket={ticket}
            missing={tried && ticket === null}
            onTicket={setTicket}
          />
        </div>
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
      {exists && !byPass ? (
        <Button tone="plain" size="small" className="mb-5" onClick={() => setByPass(true)}>
          <Trans>Forgot it? Use your pass</Trans>
        </Button>
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
      <Button type="submit" size="large" wide busy={save.busy}>
        <Trans>Save</Trans>
      </Button>
    </form>
  )
}
