import { useLingui } from '@lingui/react/macro'
import { SendHorizontal } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import type { UploadedFile } from '@/api/types'
import { own } from '@/session/own'
import { revealFocused } from '@/ui/revealFocused'
import { toast } from '@/ui/toast'
import { AttachButton, DraftTiles } from './DraftTiles'
import { MOST_FILES, useDraftFiles } from './useDraftFiles'

const MOST = 1_000
/** From this length, the number of characters left is shown. */
const SHORT_OF = 900

const draftKey = (orderId: string) => `draft ${orderId}`

/** Where Enter makes a new line, because the keyboard is on the screen. */
const TOUCH = matchMedia('(pointer: coarse)')

/** The key code of every key that an input method handles. */
const HANDLED = 229

/**
 * Returns whether Enter confirms the choice of an input method, for example of Chinese characters. Safari ends the composition
 * before it reports the key, so that only the old key code tells the two apart.
 */
function isComposing(event: globalThis.KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === HANDLED
}

/** The field to write a message in, and its files. It keeps a draft for each order. */
export function Composer({
  orderId,
  quickReplies,
  send,
}: {
  orderId: string
  quickReplies: readonly string[]
  send: (text: string, files: readonly UploadedFile[]) => void
}) {
  const { t } = useLingui()
  const [text, setText] = useState(() => own.get(draftKey(orderId)) ?? '')
  const write = (next: string) => {
    setText(next)
    if (next === '') own.remove(draftKey(orderId))
    else own.set(draftKey(orderId), next)
  }
  const draft = useDraftFiles(orderId)
  const { busy, failed, items } = draft.uploads
  const ready = !busy && !failed && (text.trim() !== '' || items.length > 0)
  const submit = () => {
    if (!ready) return
    send(text.trim(), draft.files)
    write('')
    draft.clear()
  }
  const add = (files: readonly File[]) => {
    if (!draft.add(files))
      toast(t`A message can have up to ${MOST_FILES} files, one of them a video.`, 'error')
  }
  const key = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event.nativeEvent) || TOUCH.matches) return
    event.preventDefault()
    submit()
  }
  return (
    <div className="border-line border-t bg-canvas pb-[env(safe-area-inset-bottom)]">
      <DraftTiles draft={draft} />
      {text === '' && items.length === 0 ? (
        <div onFocus={revealFocused} className="scroll-row max-2xs:hidden">
          <ul aria-label={t`Quick replies`} className="flex w-max gap-2 px-3 pt-2">
            {quickReplies.map((reply) => (
              <li key={reply}>
                <button
                  type="button"
                  onClick={() => send(reply, [])}
                  className="min-h-10 whitespace-nowrap rounded-full bg-sunken px-4 text-sm active:opacity-70"
                >
                  {reply}
                </button>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      <form
        className="flex max-2xs:flex-wrap items-end max-2xs:justify-between gap-2 px-3 py-2"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <AttachButton full={draft.uploads.full} add={add} />
        <div className="relative max-2xs:order-first min-w-0 flex-1 max-2xs:basis-full">
          <textarea
            value={text}
            rows={1}
            maxLength={MOST}
            aria-label={t`Message`}
            placeholder={t`Message`}
            enterKeyHint="send"
            onChange={(event) => write(event.target.value)}
            onKeyDown={key}
            onPaste={(event) => {
              const files = Array.from(event.clipboardData.files)
              if (files.length === 0) return
              event.preventDefault()
              add(files)
            }}
            className="field-sizing-content block max-h-36 min-h-11 w-full resize-none rounded-3xl bg-sunken px-4 py-2.5 leading-6"
          />
          {text.length >= SHORT_OF ? (
            <span className="absolute right-4 -bottom-0.5 text-muted text-xs">{MOST - text.length}</span>
          ) : null}
        </div>
        <button
          type="submit"
          aria-label={t`Send`}
          disabled={!ready}
          // Otherwise the keyboard would close after each message.
          onMouseDown={(event) => event.preventDefault()}
          className="grid size-11 shrink-0 place-items-center rounded-full bg-brand-fill text-on-brand disabled:bg-sunken disabled:text-muted"
        >
          <SendHorizontal size={20} aria-hidden="true" />
        </button>
      </form>
    </div>
  )
}
