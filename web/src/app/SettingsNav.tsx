import { useLingui } from '@lingui/react/macro'
import { AppLink, type AppPath } from '@/navigation/navigation'
import { findRoute, SETTINGS_ROUTES } from './routes'

/** The screens of the personal center, beside the one that is shown. */
export default function SettingsNav({ path }: { path: AppPath }) {
  const { t } = useLingui()
  const listed = SETTINGS_ROUTES.some((row) => row.path === path)
  // A screen that is not listed belongs to the one that its back button leads to.
  const current = listed ? path : findRoute(path)?.back
  return (
    <nav
      aria-label={t`Personal center`}
      className="sticky top-16 max-h-[calc(100dvh-4rem)] self-start overflow-y-auto"
    >
      <ul className="flex flex-col gap-0.5">
        {SETTINGS_ROUTES.map((row) => (
          <li key={row.path}>
            <AppLink
              to={row.path}
              current={row.path === current}
              className={`flex min-h-11 items-center rounded-xl px-3 py-2 text-sm leading-tight ${row.path === current ? 'bg-brand-soft font-semibold text-brand' : 'text-muted hover:bg-sunken hover:text-ink'}`}
            >
              {t(row.title)}
            </AppLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
