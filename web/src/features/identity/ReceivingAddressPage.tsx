import { Trans, useLingui } from '@lingui/react/macro'
import { type FormEvent, useState } from 'react'
import { api, read } from '@/api/client'
import { keys } from '@/api/queries'
import type { UserInfo } from '@/api/types'
import { useCommand } from '@/command/useCommand'
import {
  isAddressRefusal,
  type ReceivingAddress,
  ReceivingAddressFields,
  receivingAddressFault,
} from '@/components/ReceivingAddressFields'
import { isWrongSecurityPassword, SecurityPasswordField } from '@/components/SecurityPasswordField'
import { useGo, useQueryParam } from '@/navigation/navigation'
import { ActionBar } from '@/ui/ActionBar'
import { Button } from '@/ui/Button'
import { Card, Line } from '@/ui/Card'
import { toast } from '@/ui/toast'
import { HoldNotice } from './HoldNotice'
import { SecurityPasswordFirst } from './SecurityPasswordFirst'
import { WithUser } from './WithUser'

/** Sets the address to which buyers send USDT. */
export default function ReceivingAddressPage() {
  return (
    <WithUser>
      {(user) =>
        user.hasSecurityPassword ? (
          <AddressForm user={user} />
        ) : (
          <SecurityPasswordFirst
            text={
              <Trans>
                You need a security password to change your receiving address. Once it’s set, you’ll return to
                this page.
              </Trans>
            }
          />
        )
      }
    </WithUser>
  )
}

function AddressForm({ user }: { user: UserInfo }) {
  const { t } = useLingui()
  const go = useGo()
  const next = useQueryParam('next')
  const [receiving, setReceiving] = useState<ReceivingAddress>({
    chainType: user.chainType ?? '',
    address: '',
  })
  const [secret, setSecret] = useState('')
  const [tried, setTried] = useState(false)
  const save = useCommand({
    run: async (input: ReceivingAddress & { secret: string }, headers, seal) =>
      read(
        api.POST('/user/updateInfo', {
          body: {
            receivingAddress: input.address.trim(),
            chainType: input.chainType,
            securityCode: await seal(input.secret),
          },
          headers,
        }),
      ),
    touches: [keys.me],
    refused: (error) => isAddressRefusal(error) || isWrongSecurityPassword(error),
    done: () => {
      toast(t`Address changed`)
      go.follow(next === '' ? '/personalCenter' : next)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (receivingAddressFault(receiving) !== null || secret === '') return
    save.send({ ...receiving, secret })
  }
  return (
    <form onSubmit={submit} noValidate className="mx-auto flex w-full max-w-md flex-col gap-2 pt-3">
      {user.receivingAddress === null ? null : (
        <Card className="mb-2">
          <dl>
            <Line label={t`Current`}>
              <span className="break-all text-sm">{user.receivingAddress}</span>
            </Line>
            <Line label={t`Chain`}>{user.chainType}</Line>
          </dl>
        </Card>
      )}
      <ReceivingAddressFields
        value={receiving}
        onChange={(value) => {
          setReceiving(value)
          save.clear()
        }}
        tried={tried}
        refused={save.error}
      />
      <SecurityPasswordField value={secret} onChange={setSecret} tried={tried} command={save} />
      <HoldNotice>
        <Trans>Active orders keep their current address.</Trans>
      </HoldNotice>
      <ActionBar nav>
        <Button type="submit" size="large" wide busy={save.busy}>
          <Trans>Change address</Trans>
        </Button>
      </ActionBar>
    </form>
  )
}
