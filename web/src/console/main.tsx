import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { read } from '@/api/createApi'
import { isRetryable } from '@/api/envelope'
import { startRetries } from '@/command/startRetries'
import { loadCatalog, startLanguage } from '@/i18n/catalogs'
import { startNavigation } from '@/navigation/location'
import { watchActivity } from './activity'
import { APPEALS } from './appeals/data'
import { ConsoleApp } from './ConsoleApp'
import { api, forgetEndedSessions } from './client'
import './console.css'
import { DASHBOARD } from './dashboard/query'
import { startTheme } from './theme'

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // Each call that views data is recorded, so a page is not fetched again without need.
      staleTime: 15_000,
      refetchOnWindowFocus: false,
      retry: (count, error) => count < 2 && isRetryable(error),
    },
    mutations: { retry: false },
  },
})

/** Returns the token of a setup link, and removes it from the address so that it does not stay in the history. */
function takeSetupToken(): string | null {
  const token = location.hash.slice(1)
  if (location.pathname !== '/console/setup' || token === '') return null
  history.replaceState(history.state, '', location.pathname)
  return token
}

const setupToken = takeSetupToken()
startTheme()
forgetEndedSessions(client)
watchActivity(client, [APPEALS, DASHBOARD])
startRetries(client, Math.random, (signal) => read(api.GET('/common/coin', { signal })))
startNavigation({ guard: (href) => href, preload: () => {} })

async function start(): Promise<void> {
  await Promise.all([startLanguage(), ...['components', 'methods', 'console'].map(loadCatalog)])
  const root = document.getElementById('root')
  if (root === null) return
  createRoot(root).render(
    <StrictMode>
      <I18nProvider i18n={i18n}>
        <QueryClientProvider client={client}>
          <ConsoleApp setupToken={setupToken} />
        </QueryClientProvider>
      </I18nProvider>
    </StrictMode>,
  )
}

void start()
