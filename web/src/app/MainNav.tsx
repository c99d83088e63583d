import { useLingui } from '@lingui/react/macro'
import { AppLink } from '@/navigation/navigation'
import { TAB_ROUTES } from './routes'

/** The main screens: at the bottom of a phone, on those of its screens that have `nav`; in the header of a desktop. */
export function MainNav({ path, phone }: { path: string | null; phone: boolean }) {
  const { t } = useLingui()
  return (
    <nav
      aria-label={t`Main`}
      className={`fixed z-20 border-line bg-canvas/90 backdrop-blur-xl max-lg:inset-x-0 max-lg:bottom-0 max-lg:border-t max-lg:pb-[env(safe-area-inset-bottom)] lg:top-0 lg:z-30 lg:left-1/2 lg:-translate-x-1/2 lg:bg-transparent lg:backdrop-blur-none ${phone ? '' : 'max-lg:hidden'}`}
    >
      <ul className="column grid grid-cols-4 lg:flex lg:gap-1">
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
                className={`flex min-h-16 flex-col items-center justify-center gap-1 px-1 text-center font-medium text-xs leading-tight short:min-h-12 short:flex-row lg:min-h-14 lg:flex-row lg:gap-2 lg:px-4 lg:text-sm ${on ? 'text-brand' : 'text-muted lg:hover:text-ink'}`}
              >
                <Icon size={23} strokeWidth={on ? 2.2 : 1.8} aria-hidden="true" className="lg:size-[18px]" />
                {t(tab.label)}
              </AppLink>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
