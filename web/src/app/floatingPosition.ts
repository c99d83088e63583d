export interface Position {
  x: number
  y: number
}
interface Viewport {
  width: number
  height: number
}

const SIZE = 56
const MARGIN = 12
/** The bottom navigation and the bar of a screen's one act above it. */
const FOOT = 164
const HEAD = 60

/** Keeps the button whole on the screen and off header and bottom bar. */
export function clampPosition({ x, y }: Position, { width, height }: Viewport): Position {
  const within = (value: number, low: number, high: number) =>
    Math.min(Math.max(value, low), Math.max(low, high))
  return {
    x: within(x, MARGIN, width - SIZE - MARGIN),
    y: within(y, HEAD, height - SIZE - FOOT),
  }
}

/** The column of the screens; beside it there is room on a wide screen. */
const COLUMN = 640
/** From the right edge of the column: left of a list's buttons, right of its prices. */
const BESIDE_BUTTONS = 124

/** Where it starts: beside the column if there is room, else where a list has neither a price nor a button. */
function startPosition(viewport: Viewport): Position {
  const edge = Math.min(viewport.width, (viewport.width + COLUMN) / 2)
  const beside = edge + MARGIN
  const x = beside + SIZE + MARGIN <= viewport.width ? beside : edge - BESIDE_BUTTONS - SIZE
  return clampPosition({ x, y: Number.MAX_SAFE_INTEGER }, viewport)
}

/** At the right edge, as low as it may be. */
export function dockedPosition(viewport: Viewport): Position {
  return clampPosition({ x: Number.MAX_SAFE_INTEGER, y: Number.MAX_SAFE_INTEGER }, viewport)
}

/** Where it was left, if that can be read; else where it starts. */
export function readPosition(stored: string | null, viewport: Viewport): Position {
  const start = startPosition(viewport)
  if (stored === null) return start
  try {
    const read: unknown = JSON.parse(stored)
    if (typeof read !== 'object' || read === null || !('x' in read) || !('y' in read)) return start
    const { x, y } = read
    if (typeof x !== 'number' || typeof y !== 'number' || !Number.isFinite(x) || !Number.isFinite(y))
      return start
    return clampPosition({ x, y }, viewport)
  } catch {
    return start
  }
}
