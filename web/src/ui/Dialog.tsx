import { Dialog as Base } from '@base-ui/react/dialog'
import { useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'

const FIELDS = 'input:enabled, textarea:enabled, select:enabled'

/**
 * A panel in the middle of a large screen. Focuses its first field, traps the focus, and closes on Escape or a click outside.
 */
export function Dialog({
  open,
  onClose,
  title,
  children,
}: {
  open: boolean
  onClose: () => void
  title: ReactNode
  children: ReactNode
}) {
  const { t } = useLingui()
  const content = useRef<HTMLDivElement>(null)
  const firstField = () => {
    const first = content.current?.querySelector<HTMLInputElement>(FIELDS) ?? null
    const group = first?.type === 'radio' ? first.closest('fieldset') : null
    // The ring of the focus around an option would look as if it were already chosen.
    if (group?.querySelector(':checked') === null) return group
    return first ?? true
  }
  return (
    <Base.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Base.Portal>
        <Base.Backdrop className="dims-page fixed inset-0 z-40 min-h-dvh bg-black/60" />
        <Base.Popup
          initialFocus={firstField}
          className="fixed top-1/2 left-1/2 z-40 flex max-h-[90dvh] w-[36rem] max-w-[94vw] -translate-x-1/2 -translate-y-1/2 flex-col rounded-3xl bg-raised text-ink shadow-2xl outline-none"
        >
          <div className="flex shrink-0 items-center justify-between gap-3 pt-4 pr-3 pl-6">
            <Base.Title className="font-semibold text-xl">{title}</Base.Title>
            <Base.Close
              aria-label={t`Close`}
              className="grid size-11 place-items-center rounded-full text-muted hover:bg-sunken"
            >
              <X size={20} />
            </Base.Close>
          </div>
          <div ref={content} className="min-h-0 flex-1 overflow-y-auto px-6 pt-1 pb-6">
            {children}
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
