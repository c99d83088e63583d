import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { CircleHelp, LogOut, Moon, Sun } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { completed } from '@/api/createApi'
import { useHasStaleQueries, useOnline } from '@/command/connection'
import { QueryError } from '@/command/QueryError'
import { chooseLanguage, useLanguageStore } from '@/i18n/catalogs'
import { LANGUAGES } from '@/i18n/languages'
import { navigate } from '@/navigation/location'
import { IconButton } from '@/ui/Button'
import { Notice } from '@/ui/Card'
import { Skeleton } from '@/ui/Skeleton'
import { EmptyState } from '@/ui/State'
import { Toaster } from '@/ui/Toaster'
import { AdsPage } from './AdsPage'
import { AuditPage } from './AuditPage'
import { AppealsPage } from './appeals/AppealsPage'
import { CasePage } from './appeals/CasePage'
import { CertificationsPage } from './CertificationsPage'
import { Count } from './Count'
import { api, endSession, ownOfficer, useOfficerCommand } from './client'
import { DashboardPage } from './dashboard/DashboardPage'
import { HelpDialog } from './HelpDialog'
import { useLabels } from './labels'
import { MaintenancePage } from './MaintenancePage'
import { NicknamesPage } from './NicknamesPage'
import { OfficersPage } from './OfficersPage'
import { Page } from './Page'
import { PairPage, PairsPage } from './PairsPage'
import { PayoutsPage } from './PayoutsPage'
import { ConsoleLink, usePlace } from './routing'
import { SetupPage } from './SetupPage'
import { SignInPage } from './SignInPage'
import { SECTIONS, type Section, sectionOf } from './sections'
import { useShortcuts } from './shortcuts'
import { chooseTheme, useTheme } from './theme'
import type { OwnOfficer } from './types'
import { UserPage } from './UserPage'
import { UsersPage } from './UsersPage'
import { waiting, waitingIn } from './waiting'

/** The console: the sign-in, or the pages that the officer's role allows. `setupToken` is the token of a setup link. */
export function ConsoleApp({ setupToken }: { setupToken: string | null }) {
  const { pathname } = usePlace()
  return (
    <>
      {setupToken !== null && pathname === '/console/setup' ? <SetupPage token={setupToken} /> : <Signed />}
      <Toaster />
    </>
  )
}

function Signed() {
  const me = useQuery(ownOfficer)
  if (me.data === null) return <SignInPage />
  if (me.data !== undefined) return <Frame me={me.data} />
  return (
    <main className="mx-auto max-w-md px-6 py-24">
      {me.isError ? (
        <QueryError error={me.error} retry={() => void me.refetch()} />
      ) : (
        <Skeleton className="h-64 w-full rounded-3xl" />
      )}
    </main>
  )
}

function Frame({ me }: { me: OwnOfficer }) {
  const { t } = useLingui()
  const { pathname } = usePlace()
  const labels = useLabels()
  const [help, setHelp] = useState(false)
  const counts = useQuery(waiting)
  const sections = SECTIONS.filter(({ call }) => me.calls.includes(call))
  const section = sectionOf(pathname)
  const allowed = section !== null && sections.includes(section)
  const first = sections[0]?.path
  const home = pathname === '/console' || pathname === '/console/' || pathname === '/console/setup'
  const title = section === null ? t`Console` : t(section.title)
  // A case needs the whole window: the menu shrinks to its icons, as it does on phones, and only the columns scroll.
  const full = allowed && section.path === '/console/appeals' && pathname.length > '/console/appeals/'.length
  useEffect(() => {
    document.title = `${title} – MEC2C`
  }, [title])
  useEffect(() => {
    if (home && first !== undefined) navigate(first, true)
  }, [home, first])
  const signOut = useOfficerCommand({
    run: (_: null, headers) => completed(api.POST('/console/sign-out', { body: {}, headers })),
    done: () => {
      endSession()
      navigate('/console', true)
    },
  })
  useShortcuts({
    '?': () => setHelp(true),
    ...Object.fromEntries(sections.map(({ key, path }) => [`g ${key}`, () => navigate(path)])),
  })
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-[100rem]">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-50 focus:rounded-xl focus:bg-ink focus:px-4 focus:py-2 focus:text-canvas"
      >
        <Trans>Skip to the content</Trans>
      </a>
      <aside
        className={`sticky top-0 flex h-dvh shrink-0 flex-col gap-1 overflow-y-auto border-line border-r py-5 ${full ? 'w-17 px-3 [scrollbar-width:none]' : 'w-60 px-3 max-sm:w-13 max-sm:px-1 max-sm:[scrollbar-width:none]'}`}
      >
        <p className={full ? 'sr-only' : 'px-3 pb-4 font-bold text-lg max-sm:sr-only'}>
          <Trans>MEC2C console</Trans>
        </p>
        <nav aria-label={t`Sections`} className="flex flex-col gap-0.5">
          {sections.map((one) => (
            <MenuItem
              key={one.path}
              section={one}
              current={one === section}
              icon={full}
              count={waitingIn(one.path, counts.data)}
            />
          ))}
        </nav>
        <div className={`mt-auto flex flex-col gap-3 pt-6 ${full ? '' : 'px-3 max-sm:px-0'}`}>
          <p className={full ? 'sr-only' : 'text-sm max-sm:hidden'}>
            <span className="block font-semibold">{me.name}</span>
            <span className="text-muted">{labels.role(me.role)}</span>
          </p>
          <div className={full ? 'flex flex-col' : '-ml-2 flex max-sm:ml-0 max-sm:flex-col'}>
            <IconButton label={t`Keyboard shortcuts`} onClick={() => setHelp(true)}>
              <CircleHelp size={20} />
            </IconButton>
            <ThemeButton />
            <LanguageButton />
            <IconButton label={t`Sign out`} onClick={() => signOut.send(null)}>
              <LogOut size={20} />
            </IconButton>
          </div>
        </div>
      </aside>
      <main
        id="content"
        className={`flex min-w-0 flex-1 flex-col ${full ? 'relative h-dvh overflow-hidden px-5 pt-3 pb-4' : 'gap-4 px-8 py-6 max-sm:px-3'}`}
      >
        <Connection />
        {home && first !== undefined ? null : allowed ? (
          <SectionPage pathname={pathname} section={section} officer={me.id} />
        ) : (
          <Page title={sections.length === 0 ? <Trans>Welcome</Trans> : <Trans>Page not found</Trans>}>
            <EmptyState
              title={
                sections.length === 0 ? (
                  <Trans>Nothing here yet for your role</Trans>
                ) : (
                  <Trans>This page doesn’t exist</Trans>
                )
              }
              text={<Trans>Ask an administrator if you expected to see something here.</Trans>}
            />
          </Page>
        )}
      </main>
      <HelpDialog sections={sections} open={help} onClose={() => setHelp(false)} />
    </div>
  )
}

function MenuItem({
  section,
  current,
  icon,
  count,
}: {
  section: Section
  current: boolean
  icon: boolean
  /** How much waits in the section. */
  count: number
}) {
  const { t } = useLingui()
  const { icon: Icon } = section
  return (
    <ConsoleLink
      to={section.path}
      current={current}
      {...(icon ? { title: t(section.title) } : {})}
      className={`relative flex min-h-11 items-center gap-3 rounded-xl px-3 font-medium ${current ? 'bg-brand-soft text-brand' : 'hover:bg-sunken'}`}
    >
      <Icon size={19} className="shrink-0" aria-hidden="true" />
      <span className={icon ? 'sr-only' : 'flex-1 max-sm:sr-only'}>{t(section.title)}</span>
      {count === 0 ? null : (
        <span className={`${icon ? 'absolute' : 'max-sm:absolute'} -top-0.5 -right-1.5`}>
          <Count of={count} />
        </span>
      )}
    </ConsoleLink>
  )
}

function SectionPage({
  pathname,
  section,
  officer,
}: {
  pathname: string
  section: Section
  officer: string
}) {
  const id = decodeURIComponent(pathname.slice(section.path.length + 1))
  const pages: Record<string, (id: string) => ReactNode> = {
    '/console/dashboard': () => <DashboardPage />,
    '/console/appeals': (appeal) =>
      appeal === '' ? (
        <AppealsPage officer={officer} />
      ) : (
        <CasePage key={appeal} id={appeal} officer={officer} />
      ),
    '/console/users': (user) => (user === '' ? <UsersPage /> : <UserPage key={user} id={user} />),
    '/console/nicknames': () => <NicknamesPage />,
    '/console/certifications': () => <CertificationsPage />,
    '/console/ads': () => <AdsPage />,
    '/console/payouts': () => <PayoutsPage />,
    '/console/pairs': (pair) => (pair === '' ? <PairsPage /> : <PairPage id={pair} />),
    '/console/maintenance': () => <MaintenancePage />,
    '/console/officers': () => <OfficersPage />,
    '/console/audit': () => <AuditPage />,
  }
  return pages[section.path]?.(id) ?? null
}

/** Warns that the page may be out of date. */
function Connection() {
  const online = useOnline()
  const old = useHasStaleQueries()
  return (
    <div role="status">
      {!online ? (
        <Notice tone="warn">
          <Trans>You’re offline. This page may be out of date.</Trans>
        </Notice>
      ) : old ? (
        <Notice tone="warn">
          <Trans>Can’t reach MEC2C. This page may be out of date. Reconnecting…</Trans>
        </Notice>
      ) : null}
    </div>
  )
}

function ThemeButton() {
  const { t } = useLingui()
  const theme = useTheme((state) => state.theme)
  const next = theme === 'dark' ? 'light' : 'dark'
  return (
    <IconButton
      label={next === 'dark' ? t`Use dark colors` : t`Use light colors`}
      onClick={() => chooseTheme(next)}
    >
      {next === 'dark' ? <Moon size={20} /> : <Sun size={20} />}
    </IconButton>
  )
}

function LanguageButton() {
  const { t } = useLingui()
  const current = useLanguageStore((state) => state.language)
  const next = LANGUAGES.find(({ code }) => code === (current.code === 'en' ? 'zh_CN' : 'en'))
  if (next === undefined) return null
  return (
    <IconButton label={t`Change the language`} onClick={() => void chooseLanguage(next)}>
      <span aria-hidden="true" className="font-semibold text-sm">
        {next.code === 'en' ? 'EN' : '中'}
      </span>
    </IconButton>
  )
}
