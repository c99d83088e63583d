/** A storage that never throws: browsers may forbid storage, and losing a preference must not break a page. */
interface Kept {
  get: (key: string) => string | null
  set: (key: string, value: string) => void
  remove: (key: string) => void
  /** Returns the keys with this prefix. */
  keys: (prefix: string) => string[]
}

function guarded(storage: () => Storage): Kept {
  return {
    get(key) {
      try {
        return storage().getItem(key)
      } catch {
        return null
      }
    },
    set(key, value) {
      try {
        storage().setItem(key, value)
      } catch {
        // The caller still has the value in memory.
      }
    },
    remove(key) {
      try {
        storage().removeItem(key)
      } catch {
        // Nothing was stored.
      }
    },
    keys(prefix) {
      try {
        return Object.keys(storage()).filter((key) => key.startsWith(prefix))
      } catch {
        return []
      }
    },
  }
}

/** Storage that all tabs share. */
export const local = guarded(() => localStorage)

/** Storage of this tab only. */
export const tab = guarded(() => sessionStorage)

export const cookies = {
  get(name: string): string | null {
    for (const part of document.cookie.split('; ')) {
      const at = part.indexOf('=')
      if (part.slice(0, at) === name) return decodeURIComponent(part.slice(at + 1))
    }
    return null
  },
  /** @param days how long the browser keeps it; 0 removes it */
  set(name: string, value: string, days: number): void {
    const secure = location.protocol === 'https:' ? '; Secure' : ''
    // oxlint-disable-next-line unicorn/no-document-cookie -- the Cookie Store API is not in every engine we serve
    document.cookie = `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${days * 86_400}; SameSite=Strict${secure}`
  },
}
