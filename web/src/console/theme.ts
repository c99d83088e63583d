import { create } from 'zustand'
import { local } from '@/lib/storage'

type Theme = 'dark' | 'light'

function initial(): Theme {
  const kept = local.get('theme')
  if (kept === 'auto') return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  return kept === 'light' ? 'light' : 'dark'
}

export const useTheme = create<{ theme: Theme }>(() => ({ theme: initial() }))

function show(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme
}

export function chooseTheme(theme: Theme): void {
  local.set('theme', theme)
  show(theme)
  useTheme.setState({ theme })
}

/** Applies the stored theme, by default the dark one. */
export function startTheme(): void {
  show(useTheme.getState().theme)
}
