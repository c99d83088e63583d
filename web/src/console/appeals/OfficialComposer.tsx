import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { LayoutTemplate, SendHorizontal, ShieldCheck } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from 'react'
import { Button, IconButton } from '@/ui/Button'
import { toast } from '@/ui/toast'
import { useShortcuts } from '../shortcuts'
import { TemplatesDialog } from './TemplatesDialog'

const MOST = 1_000
/** From this length, the number of characters left is shown. */
const SHORT_OF = 900

/** The field for a message to both parties in the name of MEC2C. */
export function OfficialComposer({ send }: { send: (text: string) => void }) {
  const { t } = useLingui()
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState('')
  const [choosing, setChoosing] = useState(false)
  useShortcuts({ w: () => field.current?.focus(), t: () => setChoosing(true) })
  const pick = (template: string) => {
    const whole = text.trim() === '' ? template : `${text.trimEnd()}\n\n${template}`
    if (whole.length > MOST) toast(t`It doesn’t fit: a message has at most ${MOST} characters.`)
    else setText(whole)
    setChoosing(false)
  }
  const empty = text.trim() === ''
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (empty) return
    send(text.trim())
    setText('')
  }
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Escape') field.current?.blur()
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    submit()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-1.5 border-line border-t px-4 pt-2.5 pb-2.5">
      <label htmlFor={id} className="flex items-center gap-2 font-semibold text-info text-sm">
        <ShieldCheck size={16} aria-hidden="true" />
        <Trans>Official message to both parties</Trans>
        <kbd className="ml-auto rounded-md bg-sunken px-1.5 font-sans text-muted text-xs">W</kbd>
      </label>
      <div className="flex items-end gap-2">
        <textarea
          ref={field}
          id={id}
          value={text}
          rows={1}
          maxLength={MOST}
          aria-describedby={`${id}-note`}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={press}
          className="field-sizing-content max-h-40 min-h-11 w-full resize-none rounded-xl border border-line bg-canvas px-3 py-2 text-sm leading-relaxed focus:border-info focus:outline-none focus-visible:outline-2 focus-visible:outline-info focus-visible:outline-offset-0"
        />
        <IconButton
          label={t`Templates`}
          title={t`Templates`}
          aria-keyshortcuts="t"
          onClick={() => setChoosing(true)}
        >
          <LayoutTemplate size={19} />
        </IconButton>
        <Button type="submit" tone="plain" size="small" disabled={empty}>
          <SendHorizontal size={16} aria-hidden="true" />
          {t`Send`}
        </Button>
      </div>
      <p id={`${id}-note`} className="text-muted text-xs">
        {text.length >= SHORT_OF ? (
          <Plural value={MOST - text.length} one="# character left" other="# characters left" />
        ) : (
          <Trans>Shown with your name. It can’t be removed. Ctrl+Enter sends it.</Trans>
        )}
      </p>
      {choosing ? <TemplatesDialog pick={pick} onClose={() => setChoosing(false)} /> : null}
    </form>
  )
}
