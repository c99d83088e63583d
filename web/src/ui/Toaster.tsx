import { CircleAlert, CircleCheck } from 'lucide-react'
import { createPortal } from 'react-dom'
import { useToasts } from './toast'

const body = document.body

/**
 * The live region of toasts. Always rendered, because screen readers announce only changes inside one. A child of the
 * body, because sheets are: they would cover toasts inside the root element.
 */
export function Toaster() {
  const shown = useToasts((state) => state.shown)
  return createPortal(
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 top-[calc(4rem+env(safe-area-inset-top))] z-50 flex justify-center px-4"
    >
      {shown === null ? null : (
        <div
          key={shown.id}
          className="flex max-w-md animate-rise items-center gap-2.5 rounded-2xl bg-ink px-4 py-3 font-medium text-canvas text-sm shadow-xl"
        >
          {shown.tone === 'done' ? (
            <CircleCheck size={18} className="shrink-0 text-[light-dark(#5fe0b4,#08774f)]" />
          ) : (
            <CircleAlert size={18} className="shrink-0 text-[light-dark(#ff9aa3,#b8273a)]" />
          )}
          <span>{shown.text}</span>
        </div>
      )}
    </div>,
    body,
  )
}
