import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { focusManager, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { api, read } from './api/client'
import { isRetryable } from './api/envelope'
import { preloadPage } from './app/Pages'
import { reloadWhenStale } from './app/reloadWhenStale'
import { guardRoute } from './app/routeGuard'
import { Shell } from './app/Shell'
import { startRetries } from './command/startRetries'
import { startLanguage } from './i18n/catalogs'
import { startNavigation } from './navigation/location'
import './styles/main.css'

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      // Retry only calls without a known outcome, because a refusal would be the same again.
      retry: (count, error) => count < 2 && isRetryable(error),
    },
    mutations: { retry: false },
  },
})

reloadWhenStale(focusManager)
startRetries(client, Math.random, (signal) => read(api.GET('/common/coin', { signal })))
startNavigation({ guard: guardRoute, preload: preloadPage })
// Fetch the page's code together with the texts of the shell.
preloadPage(location.pathname)

async function start(): Promise<void> {
  await startLanguage()
  const root = document.getElementById('root')
  if (root === null) return
  createRoot(root).render(
    <StrictMode>
      <I18nProvider i18n={i18n}>
        <QueryClientProvider client={client}>
          <Shell />
        </QueryClientProvider>
      </I18nProvider>
    </StrictMode>,
  )
}

void start()
