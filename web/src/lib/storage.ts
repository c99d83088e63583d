/** Storage that may be forbidden (private windows, embedded views): losing a preference must never break a page. */
export const local = {
  get(key: string): string | null {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  },
  set(key: string, value: string): void {
    try {
      localStorage.setItem(key, value)
    } catch {
      // Kept for this page only.
    }
  },
  remove(key: string): void {
    try {
      localStorage.removeItem(key)
    } catch {
      // Nothing was kept.
    }
  },
}

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
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every engine we serve
    document.cookie = `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${days * 86_400}; SameSite=Strict${secure}`
  },
}
