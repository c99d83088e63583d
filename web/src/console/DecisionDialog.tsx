import { useLingui } from '@lingui/react/macro'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { isRetryable } from '@/api/envelope'
import type { CommandHeaders } from '@/command/useCommandWith'
import { useErrorText } from '@/command/useErrorText'
import { useReviewed } from '@/command/useReviewed'
import { Notice } from '@/ui/Card'
import { Dialog } from '@/ui/Dialog'
import { TextArea } from '@/ui/Field'
import { Problem } from '@/ui/Problem'
import { toast } from '@/ui/toast'
import { useOfficerCommand } from './client'
import { InfoDialog } from './InfoDialog'
import { SendFooter } from './SendFooter'
import { useSendKey } from './shortcuts'
import type { Snapshot } from './useSnapshot'

const LONGEST_REASON = 500

/** A decision as it is sent. `version` is that of what the officer has reviewed. */
export type Sent<I> = I & { reason: string; version: string }

export interface DecisionProps<I, O> {
  title: string
  /** The choice of a decision, above its effects. */
  choice?: ReactNode
  /** What the decision will do, said before it is made. */
  effects: ReactNode
  /** More fields of the decision, above the reason. */
  children?: ReactNode
  /** The button, such as "Turn off MEC/USDT". */
  confirm: string
  /** Whether the decision takes something away from users. */
  dangerous?: boolean
  /** The problem with the fields, if they cannot be sent. */
  problem?: string
  /** Why there is nothing left to decide. It is shown in place of the form. */
  moot?: string
  /** The name of the reason, if it is not called so. */
  reasonLabel?: string
  /** What to say if the reason is missing. */
  reasonMissing?: string
  /** Who else sees the reason. */
  reasonHint?: string
  /** What to say once the decision was made; null for the usual text. */
  said?: (output: O) => string | null
  /** What the officer has chosen. */
  input: I
  /** What is decided about: its version, and the snapshot that the other props come from. Absent if the decision creates something. */
  about?: { version: string; snapshot: Snapshot }
  run: (sent: Sent<I>, headers: CommandHeaders) => Promise<O>
  touches: readonly (readonly string[])[]
  /** Shows the output at once. Until the queries are fetched again, the next decision would be about the old version. */
  show?: (client: QueryClient, output: O) => void
  done?: (output: O) => void
  onClose: () => void
}

/** A decision with its consequences and its reason. Ctrl+Enter sends it. */
export function DecisionDialog<I, O>(props: DecisionProps<I, O>) {
  const { t } = useLingui()
  const { title, choice, effects, children, confirm, dangerous = false, onClose } = props
  const { problem = '', moot = '', about } = props
  const client = useQueryClient()
  const [reason, setReason] = useState('')
  const [tried, setTried] = useState(false)
  const command = useOfficerCommand({
    run: props.run,
    touches: props.touches,
    done: (output) => {
      toast(props.said?.(output) ?? t`Done. It’s in the audit log.`)
      props.show?.(client, output)
      props.done?.(output)
      onClose()
    },
    refused: (error) => {
      if (!isRetryable(error)) about?.snapshot.drop()
      return true
    },
  })
  const { version, notice } = useReviewed(about?.version ?? '', { pending: command.pending?.version })
  const failure = useErrorText(command.error, 'command')
  const missing =
    reason.trim() === '' ? (props.reasonMissing ?? t`Give a reason. It’s recorded permanently.`) : ''
  const send = () => {
    setTried(true)
    if (missing !== '' || problem !== '') return
    about?.snapshot.take()
    command.send({ ...props.input, reason: reason.trim(), version })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send()
  }
  useSendKey(send, moot === '')
  // The outcome is shown here, and closing another dialog instead must be impossible.
  const close = () => {
    if (!command.busy) onClose()
  }
  if (moot !== '')
    return (
      <InfoDialog title={title} onClose={onClose}>
        <p>{moot}</p>
      </InfoDialog>
    )
  return (
    <Dialog open onClose={close} title={title}>
      <form onSubmit={submit} noValidate className="flex flex-col gap-3">
        {notice}
        {choice}
        <Notice tone={dangerous ? 'danger' : 'info'} icon={<TriangleAlert size={18} aria-hidden="true" />}>
          {effects}
        </Notice>
        {children}
        <TextArea
          label={props.reasonLabel ?? t`Reason`}
          aside={
            <span className="text-muted">
              {reason.length} / {LONGEST_REASON}
            </span>
          }
          value={reason}
          onChange={setReason}
          maxLength={LONGEST_REASON}
          hint={props.reasonHint ?? t`Recorded in the audit log with your name.`}
          error={tried ? missing : ''}
          autoFocus={children === undefined && (choice === undefined || choice === null)}
        />
        <Problem>{tried ? problem : ''}</Problem>
        <Problem>{failure}</Problem>
        <SendFooter busy={command.busy} dangerous={dangerous} cancel={close}>
          {confirm}
        </SendFooter>
      </form>
    </Dialog>
  )
}
