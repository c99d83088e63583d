import { Dialog } from '@base-ui/react/dialog'
import { Trans, useLingui } from '@lingui/react/macro'
import { ChevronLeft, ChevronRight, TriangleAlert, X, ZoomIn, ZoomOut } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Picture, Video } from '@/components/files/Picture'
import { useFormats } from '@/i18n/format'
import { Pill } from '@/ui/Badge'
import { IconButton } from '@/ui/Button'
import type { Media } from './media'

const MOST_ZOOM = 4
/** A scrollable area must be reachable with the keyboard. */
const SCROLLABLE = { tabIndex: 0 } as const

/** Shows the files of a case, large. Arrow keys walk through them; + and − zoom a picture. */
export function Viewer({
  media,
  shown,
  show,
  renew,
  onClose,
}: {
  media: readonly Media[]
  shown: string
  show: (file: string) => void
  /** Reads the link to a file again, because it has expired. */
  renew: (media: Media) => void
  onClose: () => void
}) {
  const { i18n, t } = useLingui()
  const { time } = useFormats()
  const at = media.findIndex((one) => one.file.id === shown)
  const current = media[at]
  const [zoom, setZoom] = useState(1)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Zoom into the middle.
    if (box.current === null || zoom === 1) return
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = box.current
    box.current.scrollTo((scrollWidth - clientWidth) / 2, (scrollHeight - clientHeight) / 2)
  }, [zoom])
  if (current === undefined) return null
  const { file } = current
  const go = (step: number) => {
    const next = media[(at + step + media.length) % media.length]
    if (next === undefined) return
    setZoom(1)
    show(next.file.id)
  }
  const zoomBy = (step: number) => setZoom((now) => Math.min(MOST_ZOOM, Math.max(1, now + step)))
  const press = (event: KeyboardEvent) => {
    // The arrow keys of a focused video wind it.
    if (event.target instanceof HTMLVideoElement) return
    const keys: Record<string, () => void> = {
      ArrowLeft: () => go(-1),
      ArrowRight: () => go(1),
      '+': () => zoomBy(1),
      '=': () => zoomBy(1),
      '-': () => zoomBy(-1),
      '0': () => setZoom(1),
    }
    const act = keys[event.key]
    if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    act()
  }
  const title = i18n._(current.title)
  const picture = file.kind !== 'VIDEO'
  return (
    <Dialog.Root open onOpenChange={(next) => (next ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Backdrop className="dims-page-more fixed inset-0 z-40 min-h-dvh bg-black/75" />
        <Dialog.Popup
          onKeyDown={press}
          className="fixed inset-5 z-40 flex flex-col overflow-hidden rounded-3xl bg-raised text-ink shadow-2xl outline-none"
        >
          <div className="flex shrink-0 items-center gap-2 border-line border-b py-2 pr-3 pl-6">
            <Dialog.Title className="font-semibold">{title}</Dialog.Title>
            <span className="text-muted text-sm">{current.at === null ? null : time(current.at)}</span>
            {file.usedBefore ? (
              <Pill tone="danger">
                <TriangleAlert size={12} aria-hidden="true" />
                <Trans>Used before in another order</Trans>
              </Pill>
            ) : null}
            <span className="ml-auto pr-2 text-muted text-sm tabular-nums">
              {at + 1} / {media.length}
            </span>
            <IconButton label={t`Zoom out`} disabled={!picture || zoom === 1} onClick={() => zoomBy(-1)}>
              <ZoomOut size={20} />
            </IconButton>
            <IconButton
              label={t`Zoom in`}
              disabled={!picture || zoom === MOST_ZOOM}
              onClick={() => zoomBy(1)}
            >
              <ZoomIn size={20} />
            </IconButton>
            <Dialog.Close
              aria-label={t`Close`}
              className="grid size-11 place-items-center rounded-full hover:bg-sunken"
            >
              <X size={20} />
            </Dialog.Close>
          </div>
          <div className="relative min-h-0 flex-1 bg-black">
            <div ref={box} {...SCROLLABLE} className="absolute inset-0 overflow-auto outline-offset-[-2px]">
              <div className="p-4" style={{ width: `${zoom * 100}%`, height: `${zoom * 100}%` }}>
                {picture ? (
                  <Picture
                    key={file.id}
                    file={file}
                    alt={`${title} ${at + 1}`}
                    className="block size-full object-contain"
                    renew={() => renew(current)}
                  />
                ) : (
                  <Video key={file.id} file={file} className="block size-full" renew={() => renew(current)} />
                )}
              </div>
            </div>
            {media.length < 2 ? null : (
              <>
                <Step label={t`Previous file`} side="left-3" onClick={() => go(-1)}>
                  <ChevronLeft size={24} />
                </Step>
                <Step label={t`Next file`} side="right-3" onClick={() => go(1)}>
                  <ChevronRight size={24} />
                </Step>
              </>
            )}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Step({
  label,
  side,
  onClick,
  children,
}: {
  label: string
  side: string
  onClick: () => void
  children: React.ReactNode
}) {
  return (
    <button
      type="button"
      aria-label={label}
      onClick={onClick}
      className={`absolute top-1/2 grid size-12 -translate-y-1/2 place-items-center rounded-full bg-raised/90 text-ink shadow-lg hover:bg-raised ${side}`}
    >
      {children}
    </button>
  )
}
