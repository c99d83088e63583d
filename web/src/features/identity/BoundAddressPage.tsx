import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, read } from '@/api/client'
import { keys } from '@/api/queries'
import type { PassBinding, UserInfo } from '@/api/types'
import { QueryError } from '@/command/QueryError'
import { useCommand } from '@/command/useCommand'
import { PassProof } from '@/components/pass/PassProof'
import { isApprovalRefused } from '@/components/pass/passChallenges'
import { usePassReturn } from '@/components/pass/usePassReturn'
import { isWrongSecurityPassword, SecurityPasswordField } from '@/components/SecurityPasswordField'
import { hrefTo, useGo, useQueryParam } from '@/navigation/navigation'
import { ActionBar } from '@/ui/ActionBar'
import { Button } from '@/ui/Button'
import { Card } from '@/ui/Card'
import { CopyRow } from '@/ui/CopyButton'
import { RadioCards } from '@/ui/RadioCards'
import { Skeleton } from '@/ui/Skeleton'
import { toast } from '@/ui/toast'
import { BindingObstacles } from './BindingObstacles'
import { HoldNotice } from './HoldNotice'
import { SecurityPasswordFirst } from './SecurityPasswordFirst'
import { useEntered } from './useEntered'
import { WithUser } from './WithUser'

/** How often it is asked whether the obstacles are gone. */
const REFRESH_MS = 8000

/** Changes or removes the address to which everything of the user returns. */
export default function BoundAddressPage() {
  return (
    <WithUser>
      {(user) =>
        user.hasSecurityPassword ? (
          <Binding user={user} />
        ) : (
          <SecurityPasswordFirst
            text={
              <Trans>
                You need a security password to change your bound address. Once it’s set, you’ll return to
                this page.
              </Trans>
            }
          />
        )
      }
    </WithUser>
  )
}

function Binding({ user }: { user: UserInfo }) {
  const { t } = useLingui()
  const binding = useQuery({
    queryKey: [...keys.me, 'binding'],
    queryFn: () => read(api.GET('/user/isBind/{id}', { params: { path: { id: user.id } } })),
    refetchInterval: REFRESH_MS,
  })
  if (binding.data === undefined) {
    return binding.isError ? (
      <QueryError error={binding.error} retry={() => void binding.refetch()} />
    ) : (
      <Skeleton className="mt-3 h-72 w-full rounded-3xl" />
    )
  }
  const { boundAddress, obstacles } = binding.data
  return (
    <div className="mx-auto flex w-full max-w-md flex-col gap-4 pt-3">
      <p className="text-muted text-sm">
        <Trans>
          Withdrawals, refunds and what you buy go to your bound address. It comes from your pass, and only
          the pass of this account can change it.
        </Trans>
      </p>
      <Card>
        <dl>
          {boundAddress === null ? (
            <p className="font-medium text-warn">
              <Trans>No address is bound. Until you bind one, you can’t trade or withdraw.</Trans>
            </p>
          ) : (
            <CopyRow label={t`Bound address`} value={boundAddress} />
          )}
          <CopyRow label={t`ME ID`} value={binding.data.meId} />
        </dl>
      </Card>
      {obstacles.length > 0 ? (
        <BindingObstacles obstacles={obstacles} />
      ) : (
        <BindingForm binding={binding.data} />
      )}
    </div>
  )
}

type Change = 'bind' | 'unbind'

function BindingForm({ binding }: { binding: PassBinding }) {
  const go = useGo()
  const change: Change = useQueryParam('change') === 'unbind' && binding.bound ? 'unbind' : 'bind'
  return (
    <>
      {binding.bound ? (
        <RadioCards
          name="change"
          legend={<Trans>What do you want to change?</Trans>}
          value={change}
          onChange={(next) => go.replace('/boundAddress', { change: next })}
          options={[
            {
              value: 'bind',
              title: <Trans>Move to another address</Trans>,
              note: <Trans>The one that your pass has now.</Trans>,
            },
            {
              value: 'unbind',
              title: <Trans>Remove the address</Trans>,
              note: <Trans>You can’t trade or withdraw until you bind one again.</Trans>,
            },
          ]}
        />
      ) : null}
      <ProofForm key={change} change={change} />
    </>
  )
}

/** What a change needs: an approval, which counts for one kind of change only, and the security password. */
function ProofForm({ change }: { change: Change }) {
  const { t } = useLingui()
  const go = useGo()
  const [back, putBackAside] = usePassReturn('/boundAddress', { change })
  const [{ ticket }, update, forget] = useEntered(change)
  const [secret, setSecret] = useState('')
  const [tried, setTried] = useState(false)
  const save = useCommand({
    run: async (input: { secret: string; ticket: string }, headers, seal) => {
      const body = { passTicket: input.ticket, securityCode: await seal(input.secret) }
      return read(
        change === 'bind'
          ? api.POST('/user/bind', { body, headers })
          : api.POST('/user/unbind', { body, headers }),
      )
    },
    touches: [keys.me],
    done: () => {
      forget()
      toast(change === 'bind' ? t`Address bound` : t`Address removed`)
      go.follow('/personalCenter')
    },
    refused: (error) => {
      if (isApprovalRefused(error)) update({ ticket: null })
      return isWrongSecurityPassword(error)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (ticket === null || secret === '') return
    save.send({ secret, ticket })
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <PassProof
        purpose={change}
        returnTo={hrefTo('/boundAddress', { change })}
        back={back}
        ticket={ticket}
        missing={tried && ticket === null}
        onTicket={(approved) => {
          putBackAside()
          update({ ticket: approved })
          save.clear()
        }}
      />
      <SecurityPasswordField value={secret} onChange={setSecret} tried={tried} command={save} />
      <HoldNotice />
      <ActionBar>
        <Button
          type="submit"
          size="large"
          wide
          busy={save.busy}
          tone={change === 'bind' ? 'brand' : 'danger'}
        >
          {change === 'bind' ? <Trans>Bind the address of my pass</Trans> : <Trans>Remove the address</Trans>}
        </Button>
      </ActionBar>
    </form>
  )
}
