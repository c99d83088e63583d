import { useEffect } from 'react'
import { create } from 'zustand'
import { local } from '@/lib/storage'

export type ThemeChoice = 'auto' | 'dark' | 'light'

function stored(): ThemeChoice {
  const kept = local.get('theme')
  return kept === 'dark' || kept === 'light' ? kept : 'auto'
}

export const useTheme = create<{ choice: ThemeChoice }>(() => ({ choice: stored() }))

export function chooseTheme(choice: ThemeChoice): void {
  local.set('theme', choice)
  useTheme.setState({ choice })
}

const device = matchMedia('(prefers-color-scheme: dark)')

/** Returns the theme to show. By default, dark routes are dark and other routes follow the device. */
export function shownTheme(choice: ThemeChoice, darkRoute: boolean, deviceDark: boolean): 'dark' | 'light' {
  if (choice !== 'auto') return choice
  return darkRoute || deviceDark ? 'dark' : 'light'
}

export function useShownTheme(darkRoute: boolean): void {
  const choice = useTheme((state) => state.choice)
  useEffect(() => {
    const show = () => {
      const theme = shownTheme(choice, darkRoute, device.matches)
      document.documentElement.dataset['theme'] = theme
      document
        .querySelector('meta[name=theme-color]')
        ?.setAttribute('content', theme === 'dark' ? '#0b0e11' : '#f4f6f7')
      // `theme.js` reads this value before the first paint of the next visit.
      local.set('theme_shown', theme)
    }
    show()
    device.addEventListener('change', show)
    return () => device.removeEventListener('change', show)
  }, [choice, darkRoute])
}
