import type { FocusEvent } from 'react'

/** Scrolls a row to what gets the focus of the keyboard. Browsers leave what is partly visible where it is. */
export function revealFocused({ target }: FocusEvent<HTMLElement>): void {
  if (target.matches(':focus-visible')) target.scrollIntoView({ block: 'nearest', inline: 'center' })
}
