import { Trans } from '@lingui/react/macro'
import { type ComponentProps, useState } from 'react'
import { api, read } from '@/api/client'
import { keys } from '@/api/queries'
import type { AvailableAction, Order } from '@/api/types'
import { type CommandHeaders, useCommand } from '@/command/useCommand'
import { DepositStatus } from '@/components/DepositStatus'
import { CancelSheet } from '@/components/ending/CancelSheet'
import type { PassReturn } from '@/components/pass/passReturn'
import { AppLink } from '@/navigation/navigation'
import { ActionBar } from '@/ui/ActionBar'
import { Button, buttonClass } from '@/ui/Button'
import { loadable } from '@/ui/loadable'
import { PanelFailed } from '@/ui/PanelFailed'
import type Accept from './AcceptSheet'
import { AskCancelSheet } from './AskCancelSheet'
import type Confirm from './ConfirmSheet'
import type Paid from './PaidSheet'

const AcceptSheet = loadable<ComponentProps<typeof Accept>>(
  () => import('./AcceptSheet'),
  ({ open, onClose }) => (open ? <PanelFailed onClose={onClose} /> : null),
)
const ConfirmSheet = loadable<ComponentProps<typeof Confirm>>(
  () => import('./ConfirmSheet'),
  ({ open, onClose }) => (open ? <PanelFailed onClose={onClose} /> : null),
)
const PaidSheet = loadable<ComponentProps<typeof Paid>>(
  () => import('./PaidSheet'),
  ({ open, onClose }) => (open ? <PanelFailed onClose={onClose} /> : null),
)

type Name = AvailableAction['action']
type SheetName = Extract<
  Name,
  'accept' | 'pay' | 'confirm' | 'cancel' | 'reject' | 'askCancel' | 'agreeCancel'
>

/** Buttons for the available actions: a primary button, with the others next to it. `back` tells how the pass returned. */
export function OrderActions({ order, back }: { order: Order; back: PassReturn | null }) {
  // The pass was asked to approve the release.
  const [sheet, setSheet] = useState<SheetName | null>(back === null ? null : 'confirm')
  // The code of these sheets is fetched when they are opened. They stay, so that closing can be animated.
  const [used, setUsed] = useState<readonly SheetName[]>([])
  if (sheet !== null && !used.includes(sheet)) setUsed([...used, sheet])
  const [checked, setChecked] = useState(false)
  const path = { id: order.id }
  const simple = useCommand({
    run: ({ act, version }: { act: 'recover' | 'checkDeposit'; version: number }, headers: CommandHeaders) =>
      act === 'checkDeposit'
        ? read(api.POST('/c2c/deal/order/deposit/{id}', { params: { path }, body: {}, headers }))
        : read(api.POST('/c2c/deal/order/recover/{id}', { params: { path }, body: { version }, headers })),
    touches: [keys.orders, keys.balance],
    done: (_, { act }) => setChecked(act === 'checkDeposit'),
  })
  const offered = (name: Name) => order.actions.find((one) => one.action === name)
  // Agreeing also cancels the order, but at the seller's cost, so it replaces the button to cancel.
  const available = (name: Name) =>
    name === 'cancel' && offered('agreeCancel') !== undefined ? undefined : offered(name)
  const send = (act: 'recover' | 'checkDeposit') => simple.send({ act, version: order.version })
  const cancel = available('cancel')
  const reject = available('reject')
  // What the sheet says no longer holds, and it must not open by itself when the action is offered again.
  if (sheet !== null && available(sheet) === undefined) setSheet(null)
  // The page of the appeal has these.
  if (order.actions.every(({ action }) => action === 'withdrawAppeal' || action === 'addEvidence'))
    return null
  return (
    <>
      <ActionBar
        nav
        note={
          checked && order.deposit !== null ? (
            <DepositStatus deposit={order.deposit} at={order.serverTime} />
          ) : null
        }
      >
        {reject === undefined ? null : (
          <Button tone="plain" size="large" onClick={() => setSheet('reject')}>
            <Trans>Reject</Trans>
          </Button>
        )}
        {cancel === undefined ? null : (
          <Button
            tone="plain"
            size="large"
            wide={order.actions.length === 1}
            onClick={() => setSheet('cancel')}
          >
            <Trans>Cancel</Trans>
          </Button>
        )}
        {available('askCancel') === undefined ? null : (
          <Button tone="plain" size="large" wide onClick={() => setSheet('askCancel')}>
            <Trans>Ask to cancel</Trans>
          </Button>
        )}
        {available('agreeCancel') === undefined ? null : (
          <Button tone="plain" size="large" wide onClick={() => setSheet('agreeCancel')}>
            <Trans>Agree to cancel</Trans>
          </Button>
        )}
        {available('appeal') === undefined ? null : (
          <AppLink
            to="/appeal"
            query={{ id: order.id }}
            className={buttonClass('plain', 'large', order.actions.length === 1)}
          >
            <Trans>Appeal</Trans>
          </AppLink>
        )}
        {available('recover') === undefined ? null : (
          <Button tone="plain" size="large" wide busy={simple.busy} onClick={() => send('recover')}>
            <Trans>Speed up the release</Trans>
          </Button>
        )}
        {available('accept') === undefined ? null : (
          <Button size="large" wide onClick={() => setSheet('accept')}>
            <Trans>Accept order</Trans>
          </Button>
        )}
        {available('checkDeposit') === undefined ? null : (
          <Button
            tone={order.covered ? 'plain' : 'brand'}
            size="large"
            wide
            busy={simple.busy}
            onClick={() => send('checkDeposit')}
          >
            <Trans>I have sent it</Trans>
          </Button>
        )}
        {available('pay') === undefined ? null : (
          <Button
            tone={order.overlay === null ? 'brand' : 'plain'}
            size="large"
            wide
            onClick={() => setSheet('pay')}
          >
            <Trans>I have paid</Trans>
          </Button>
        )}
        {available('confirm') === undefined ? null : (
          <Button size="large" wide onClick={() => setSheet('confirm')}>
            <Trans>Payment received</Trans>
          </Button>
        )}
      </ActionBar>
      {used.includes('accept') ? (
        <AcceptSheet
          order={order}
          action={available('accept')}
          open={sheet === 'accept'}
          onClose={() => setSheet(null)}
        />
      ) : null}
      {used.includes('pay') ? (
        <PaidSheet order={order} open={sheet === 'pay'} onClose={() => setSheet(null)} />
      ) : null}
      {used.includes('confirm') ? (
        <ConfirmSheet order={order} back={back} open={sheet === 'confirm'} onClose={() => setSheet(null)} />
      ) : null}
      <AskCancelSheet
        order={order}
        action={available(sheet === 'agreeCancel' ? 'agreeCancel' : 'askCancel')}
        open={sheet === 'askCancel' || sheet === 'agreeCancel'}
        onClose={() => setSheet(null)}
      />
      <CancelSheet
        order={order}
        action={sheet === 'reject' ? reject : cancel}
        open={sheet === 'cancel' || sheet === 'reject'}
        onClose={() => setSheet(null)}
      />
    </>
  )
}
