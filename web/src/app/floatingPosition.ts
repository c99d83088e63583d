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
/** Height of the bottom navigation plus the action bar above it. */
const FOOT = 164
const HEAD = 60

/** Moves a position into the screen, clear of the header and bottom bar. */
export function clampPosition({ x, y }: Position, { width, height }: Viewport): Position {
  const within = (value: number, low: number, high: number) =>
    Math.min(Math.max(value, low), Math.max(low, high))
  return {
    x: within(x, MARGIN, width - SIZE - MARGIN),
    y: within(y, HEAD, height - SIZE - FOOT),
  }
}

/** Width of the column of screens. */
const COLUMN = 640
/** The width from which screens have several columns, without the gutter of the scrollbar, and the width of these. */
const DESKTOP = 1000
const COLUMNS = 1280

function column({ width }: Viewport): number {
  return width < DESKTOP ? COLUMN : COLUMNS
}

/** Returns whether the button fits next to the column. Otherwise it docks at the edge until it is dragged. */
export function fitsBeside(viewport: Viewport): boolean {
  return (viewport.width + column(viewport)) / 2 + SIZE + 2 * MARGIN <= viewport.width
}

/** Returns the initial position: next to the column or at the right edge, as low as possible. */
function startPosition(viewport: Viewport): Position {
  const x = fitsBeside(viewport) ? (viewport.width + column(viewport)) / 2 + MARGIN : Number.MAX_SAFE_INTEGER
  return clampPosition({ x, y: Number.MAX_SAFE_INTEGER }, viewport)
}

/** Parses a stored position, or returns the initial one. */
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
