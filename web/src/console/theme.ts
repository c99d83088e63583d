import { create } from 'zustand'
import { local } from '@/lib/storage'

type Theme = 'dark' | 'light'

function initial(): Theme {
  const kept = local.get('theme')
  if (kept === 'dark' || kept === 'light') return kept
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

export const useTheme = create<{ theme: Theme }>(() => ({ theme: initial() }))

function show(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme
  // `theme.js` reads this value before the first paint of the next visit.
  local.set('theme_shown', theme)
}

export function chooseTheme(theme: Theme): void {
  local.set('theme', theme)
  show(theme)
  useTheme.setState({ theme })
}

/** Applies the stored theme, or the one of the device. */
export function startTheme(): void {
  show(useTheme.getState().theme)
}
