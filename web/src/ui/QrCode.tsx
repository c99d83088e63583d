import type { ComponentProps } from 'react'
import { loadable } from './loadable'
import type QrCodeDrawing from './QrCodeDrawing'

/** Fetched with the first code, because most orders show none. */
const Drawing = loadable<ComponentProps<typeof QrCodeDrawing>>(
  () => import('./QrCodeDrawing'),
  () => null,
)

/** A QR code, in a place that is kept for it until it is drawn. */
export function QrCode({ size = 200, ...code }: ComponentProps<typeof QrCodeDrawing>) {
  return (
    <div style={{ width: size + 32, height: size + 32 }}>
      <Drawing {...code} size={size} />
    </div>
  )
}
