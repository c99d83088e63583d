import { useLingui } from '@lingui/react/macro'
import { AppLink } from '@/navigation/navigation'
import { TAB_ROUTES } from './routes'

export function BottomNav({ path }: { path: string }) {
  const { t } = useLingui()
  return (
    <nav
      aria-label={t`Main`}
      className="fixed inset-x-0 bottom-0 z-20 border-line border-t bg-canvas/90 pb-[env(safe-area-inset-bottom)] backdrop-blur-xl"
    >
      <ul className="column grid grid-cols-4">
        {TAB_ROUTES.map((row) => {
          const { tab } = row
          if (tab === undefined) return null
          const on = row.path === path
          const Icon = tab.icon
          return (
            <li key={row.path}>
              <AppLink
                to={row.path}
                current={on}
                className={`flex min-h-16 flex-col items-center justify-center gap-1 px-1 text-center font-medium text-xs leading-tight ${on ? 'text-brand' : 'text-muted'}`}
              >
                <Icon size={23} strokeWidth={on ? 2.2 : 1.8} aria-hidden="true" />
                {t(tab.label)}
              </AppLink>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
