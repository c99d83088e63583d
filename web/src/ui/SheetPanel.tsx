import { Drawer } from '@base-ui/react/drawer'
import { useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import type { SheetProps } from './Sheet'

/** The panel of a sheet, in a separate chunk so that gestures and focus trapping load with the first sheet. */
export default function SheetPanel({
  open,
  onClose,
  title,
  children,
  side = 'bottom',
  footer,
  notice,
}: SheetProps) {
  const { t } = useLingui()
  const bottom = side === 'bottom'
  return (
    <Drawer.Root
      open={open}
      onOpenChange={(next) => (next ? undefined : onClose())}
      swipeDirection={bottom ? 'down' : 'right'}
    >
      <Drawer.Portal>
        <Drawer.Backdrop className="dims-page fixed inset-0 z-40 min-h-dvh bg-black opacity-[calc(0.6*(1-var(--drawer-swipe-progress)))] transition-opacity duration-300 data-ending-style:opacity-0 data-starting-style:opacity-0 data-swiping:duration-0" />
        <Drawer.Viewport
          className={`fixed inset-0 z-40 flex ${bottom ? 'items-end justify-center' : 'items-stretch justify-end'}`}
        >
          <Drawer.Popup
            className={
              bottom
                ? 'flex max-h-[92dvh] w-full max-w-160 flex-col rounded-t-[1.75rem] bg-raised text-ink outline-none transition-transform duration-300 ease-[cubic-bezier(0.32,0.72,0,1)] [transform:translateY(var(--drawer-swipe-movement-y))] data-ending-style:[transform:translateY(100%)] data-starting-style:[transform:translateY(100%)] data-swiping:duration-0'
                : 'flex h-full w-80 max-w-[86vw] flex-col bg-raised text-ink outline-none transition-transform duration-300 ease-[cubic-bezier(0.32,0.72,0,1)] [transform:translateX(var(--drawer-swipe-movement-x))] data-ending-style:[transform:translateX(100%)] data-starting-style:[transform:translateX(100%)] data-swiping:duration-0'
            }
          >
            {bottom ? (
              <div aria-hidden="true" className="mx-auto mt-2.5 h-1 w-10 shrink-0 rounded-full bg-line" />
            ) : null}
            <div className="flex shrink-0 items-center justify-between gap-3 py-2 pr-3 pl-5">
              <Drawer.Title className="font-semibold text-xl">{title}</Drawer.Title>
              <Drawer.Close
                aria-label={t`Close`}
                className="grid size-11 place-items-center rounded-full text-muted hover:bg-sunken"
              >
                <X size={20} />
              </Drawer.Close>
            </div>
            <Drawer.Content className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 pb-[calc(1.25rem+env(safe-area-inset-bottom))]">
              {children}
            </Drawer.Content>
            {footer === undefined ? null : (
              <div className="shrink-0 border-line border-t px-5 pt-3 pb-[calc(0.75rem+env(safe-area-inset-bottom))]">
                <div role="status" className="not-empty:mb-3 empty:sr-only">
                  {notice}
                </div>
                {footer}
              </div>
            )}
          </Drawer.Popup>
        </Drawer.Viewport>
      </Drawer.Portal>
    </Drawer.Root>
  )
}
