import { useEffect } from 'react'
import { create } from 'zustand'
import { local } from '@/lib/storage'

export type ThemeChoice = 'auto' | 'dark' | 'light'

function stored(): ThemeChoice {
  const kept = local.get('theme')
  return kept === 'auto' || kept === 'light' ? kept : 'dark'
}

export const useTheme = create<{ choice: ThemeChoice }>(() => ({ choice: stored() }))

export function chooseTheme(choice: ThemeChoice): void {
  local.set('theme', choice)
  useTheme.setState({ choice })
}

const device = matchMedia('(prefers-color-scheme: dark)')

/** Shows every screen in the chosen theme: dark unless the user has chosen another. */
export function useShownTheme(): void {
  const choice = useTheme((state) => state.choice)
  useEffect(() => {
    const show = () => {
      const theme = choice !== 'auto' ? choice : device.matches ? 'dark' : 'light'
      document.documentElement.dataset['theme'] = theme
      document
        .querySelector('meta[name=theme-color]')
        ?.setAttribute('content', theme === 'dark' ? '#0b0e11' : '#f4f6f7')
    }
    show()
    device.addEventListener('change', show)
    return () => device.removeEventListener('change', show)
  }, [choice])
}
