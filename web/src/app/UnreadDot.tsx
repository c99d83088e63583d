/** A dot on a button of the header that leads to something new. */
export function UnreadDot() {
  return <span className="absolute top-2 right-2 size-2.5 rounded-full bg-sell-fill ring-2 ring-canvas" />
}
