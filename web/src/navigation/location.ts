/** The current address, and its entry in the browser's history. */
export interface AppLocation {
  pathname: string
  search: string
  key: string
  /** The kind of navigation: `pop` (back, forward, reload) restores the scroll position; `push` starts at the top. */
  action: 'pop' | 'push'
}

export interface NavigationOptions {
  /** Returns the address to show: the requested one, or a replacement. */
  guard: (href: string) => string
  /** Fetches a page's code ahead of time. */
  preload: (pathname: string) => void
}

type Listener = (current: AppLocation) => void

const SCROLLS = 'scroll_positions'
const NO_KEY = 'start'
const listeners = new Set<Listener>()
let options: NavigationOptions = { guard: (href) => href, preload: () => {} }
let current: AppLocation = { pathname: '/', search: '', key: NO_KEY, action: 'push' }
let made = 0
let scrolls = new Map<string, number>()

/** Returns what is stored with the history entry: its key, or the address that it was opened from. */
function storedInEntry(name: 'key' | 'from'): string | null {
  const state: unknown = history.state
  if (typeof state !== 'object' || state === null) return null
  const value = new Map(Object.entries(state)).get(name)
  return typeof value === 'string' ? value : null
}

function keyOfEntry(): string {
  return storedInEntry('key') ?? NO_KEY
}

function freshKey(): string {
  made += 1
  return `${Date.now().toString(36)}-${made}`
}

function hrefOf(url: { pathname: string; search: string; hash: string }): string {
  return `${url.pathname}${url.search}${url.hash}`
}

function updateLocation(action: AppLocation['action']): void {
  current = { pathname: location.pathname, search: location.search, key: keyOfEntry(), action }
  for (const listener of listeners) listener(current)
}

function saveScroll(): void {
  scrolls.set(current.key, scrollY)
}

/**
 * Whether an address is a path of this site. One that begins with two slashes names another host, also with tabs and line
 * breaks between them, which browsers remove.
 */
export function isOwnPath(href: string): boolean {
  return /^\/(?![\t\n\r]*[/\\])/.test(href)
}

/** Navigates within the app. Addresses of other origins are ignored. */
export function navigate(href: string, replace = false): void {
  const url = new URL(href, location.href)
  if (url.origin !== location.origin) return
  saveScroll()
  const admitted = options.guard(hrefOf(url))
  const state = replace
    ? { key: keyOfEntry(), from: storedInEntry('from') }
    : { key: freshKey(), from: hrefOf(location) }
  const { pathname, action } = current
  if (replace) history.replaceState(state, '', admitted)
  else history.pushState(state, '', admitted)
  // Another query of the same page leaves the user where they are on it.
  updateLocation(replace && location.pathname === pathname ? action : 'push')
}

/** Returns to an address: one step back if it is the previous entry, so that it is not there twice. */
export function returnTo(href: string): void {
  if (storedInEntry('from') === href) history.back()
  else navigate(href, true)
}

/** Returns to the page before this one. From a page that was opened by a link from outside, leads to `/`. */
export function stepBack(): void {
  if (storedInEntry('from') === null) navigate('/', true)
  else history.back()
}

export function currentLocation(): AppLocation {
  return current
}

export function onLocationChange(listener: Listener): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export function preload(pathname: string): void {
  options.preload(pathname)
}

/** Returns the scroll position that the user left an entry with. */
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

/** Starts listening to the browser. Call this once, before the first render. */
export function startNavigation(given: NavigationOptions): void {
  options = given
  scrolls = storedScrolls()
  history.scrollRestoration = 'manual'
  addEventListener('popstate', () => {
    saveScroll()
    const href = hrefOf(location)
    const admitted = options.guard(href)
    if (admitted !== href) history.replaceState(history.state, '', admitted)
    updateLocation('pop')
  })
  addEventListener('pagehide', () => {
    saveScroll()
    try {
      sessionStorage.setItem(SCROLLS, JSON.stringify(Array.from(scrolls).slice(-50)))
    } catch {
      // Without storage, a reload starts at the top.
    }
  })
  const href = hrefOf(location)
  // After a reload or a return from another site, the entry still has its key. An entry without a key is new and
  // starts at the top.
  const known = keyOfEntry() !== NO_KEY
  history.replaceState(
    { key: known ? keyOfEntry() : freshKey(), from: storedInEntry('from') },
    '',
    options.guard(href),
  )
  current = {
    pathname: location.pathname,
    search: location.search,
    key: keyOfEntry(),
    action: known ? 'pop' : 'push',
  }
}
