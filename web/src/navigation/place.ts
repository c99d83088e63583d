/** Where one is: the address, and which entry of the browser's history it is. */
export interface Place {
  pathname: string
  search: string
  key: string
  /** How one came: back and forward restore the scroll, anything else starts at the top. */
  came: 'pop' | 'push'
}

export interface NavigationOptions {
  /** Where an address may really lead: itself, or the one to show instead. */
  admit: (href: string) => string
  /** Fetches a page's code before it is wanted. */
  preload: (pathname: string) => void
}

type Listener = (place: Place) => void

const SCROLLS = 'scroll_positions'
const NO_KEY = 'start'
const listeners = new Set<Listener>()
let options: NavigationOptions = { admit: (href) => href, preload: () => {} }
let place: Place = { pathname: '/', search: '', key: NO_KEY, came: 'push' }
let made = 0
let scrolls = new Map<string, number>()

function keyOfEntry(): string {
  const state: unknown = history.state
  const key = typeof state === 'object' && state !== null && 'key' in state ? state.key : null
  return typeof key === 'string' ? key : NO_KEY
}

function freshKey(): string {
  made += 1
  return `${Date.now().toString(36)}-${made}`
}

function hrefOf(url: { pathname: string; search: string; hash: string }): string {
  return `${url.pathname}${url.search}${url.hash}`
}

function show(came: Place['came']): void {
  place = { pathname: location.pathname, search: location.search, key: keyOfEntry(), came }
  for (const listener of listeners) listener(place)
}

function rememberScroll(): void {
  scrolls.set(place.key, scrollY)
}

/** Goes to an address of this product; a foreign one is refused by `URL` having another origin. */
export function navigate(href: string, replace = false): void {
  const url = new URL(href, location.href)
  if (url.origin !== location.origin) return
  rememberScroll()
  const admitted = options.admit(hrefOf(url))
  const state = { key: replace ? keyOfEntry() : freshKey() }
  if (replace) history.replaceState(state, '', admitted)
  else history.pushState(state, '', admitted)
  show('push')
}

export function currentPlace(): Place {
  return place
}

export function onPlace(listener: Listener): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export function preload(pathname: string): void {
  options.preload(pathname)
}

/** The scroll position that a place was left with. */
export function savedScroll(key: string): number {
  return scrolls.get(key) ?? 0
}

function storedScrolls(): Map<string, number> {
  try {
    const read: unknown = JSON.parse(sessionStorage.getItem(SCROLLS) ?? '[]')
    if (!Array.isArray(read)) return new Map()
    return new Map(
      read.flatMap((pair): [string, number][] =>
        Array.isArray(pair) && typeof pair[0] === 'string' && typeof pair[1] === 'number'
          ? [[pair[0], pair[1]]]
          : [],
      ),
    )
  } catch {
    return new Map()
  }
}

/** Starts listening to the browser; once, before anything is drawn. */
export function startNavigation(given: NavigationOptions): void {
  options = given
  scrolls = storedScrolls()
  history.scrollRestoration = 'manual'
  addEventListener('popstate', () => {
    rememberScroll()
    const href = hrefOf(location)
    const admitted = options.admit(href)
    if (admitted !== href) history.replaceState(history.state, '', admitted)
    show('pop')
  })
  addEventListener('pagehide', () => {
    rememberScroll()
    try {
      sessionStorage.setItem(SCROLLS, JSON.stringify(Array.from(scrolls).slice(-50)))
    } catch {
      // A reload then starts at the top.
    }
  })
  const href = hrefOf(location)
  // A reload, or back from another site, finds the entry's key. An entry without one is new, and starts at its top.
  const known = keyOfEntry() !== NO_KEY
  history.replaceState({ key: known ? keyOfEntry() : freshKey() }, '', options.admit(href))
  place = {
    pathname: location.pathname,
    search: location.search,
    key: keyOfEntry(),
    came: known ? 'pop' : 'push',
  }
}
