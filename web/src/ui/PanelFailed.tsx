import { Trans, useLingui } from '@lingui/react/macro'
import { WifiOff, X } from 'lucide-react'
import { createPortal } from 'react-dom'
import { IconButton } from './Button'

/** In the header, the header would be the frame of what is fixed. */
const BODY = document.body

/** Shown in place of a panel whose code could not be fetched. The panel opens by itself once it can. */
export function PanelFailed({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  return createPortal(
    <div
      role="alert"
      className="fixed inset-x-4 mx-auto max-w-md bottom-[calc(var(--spacing)*24+env(safe-area-inset-bottom))] z-50 flex items-center gap-3 rounded-2xl border border-line bg-surface py-2 pr-2 pl-4 shadow-lg"
    >
      <WifiOff size={18} className="shrink-0 text-warn" aria-hidden="true" />
      <p className="min-w-0 flex-1 text-sm">
        <Trans>This can’t be loaded now. It opens as soon as you’re back online.</Trans>
      </p>
      <IconButton label={t`Close`} onClick={onClose}>
        <X size={20} />
      </IconButton>
    </div>,
    BODY,
  )
}
