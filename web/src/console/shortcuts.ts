import { useEffect, useRef } from 'react'

/** Inputs in which letters are no text. */
const BUTTONS = ['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit']
const TYPED = `input${BUTTONS.map((type) => `:not([type=${type}])`).join('')}, textarea, select, [contenteditable]`

/** Returns whether the keys of an event belong to the text that is being typed. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest(TYPED) !== null
}

/** Returns whether a key moves the choice within a group of radio buttons. */
function movesChoice({ key, target }: KeyboardEvent): boolean {
  return key.startsWith('Arrow') && target instanceof HTMLInputElement && target.type === 'radio'
}

/** Returns the name of a key press, or null if it is no shortcut: with Ctrl, Alt or Meta it belongs to the browser. */
export function keyName(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>): string | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null
  return event.key.length === 1 ? event.key.toLowerCase() : event.key
}

/** How long the second key of a sequence may take, in milliseconds. */
const SEQUENCE_MS = 1500

/** Recognizes single keys and sequences of two, such as `g u`. Returns the shortcut that a key completes. */
export function sequencer(known: ReadonlySet<string>): (key: string, at: number) => string | null {
  let first: { key: string; at: number } | null = null
  return (key, at) => {
    const sequence = first !== null && at - first.at <= SEQUENCE_MS ? `${first.key} ${key}` : null
    first = null
    if (sequence !== null && known.has(sequence)) return sequence
    if (known.has(key)) return key
    first = { key, at }
    return null
  }
}

/** Calls a function when the officer presses its key or sequence of keys, unless a text is being typed. */
export function useShortcuts(shortcuts: Readonly<Record<string, () => void>>): void {
  const current = useRef(shortcuts)
  useEffect(() => {
    current.current = shortcuts
  })
  const names = Object.keys(shortcuts).toSorted().join('|')
  useEffect(() => {
    const recognize = sequencer(new Set(names.split('|')))
    const press = (event: KeyboardEvent) => {
      const key = keyName(event)
      if (key === null || isTyping(event.target) || movesChoice(event)) return
      // A dialog has its own keys.
      if (document.querySelector('[role=dialog]') !== null) return
      const name = recognize(key, event.timeStamp)
      if (name === null) return
      event.preventDefault()
      current.current[name]?.()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [names])
}

/** Calls a function when the officer presses Ctrl+Enter, also while typing. */
export function useSendKey(send: () => void, enabled = true): void {
  const current = useRef(send)
  useEffect(() => {
    current.current = send
  })
  useEffect(() => {
    if (!enabled) return
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      current.current()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [enabled])
}
