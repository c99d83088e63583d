import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { focusManager, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { isApiError } from './api/envelope'
import { admit } from './app/admit'
import { reloadWhenLongAway } from './app/awake'
import { preloadPage } from './app/Pages'
import { Shell } from './app/Shell'
import { startRenewal } from './command/startRenewal'
import { startLanguage } from './i18n/catalogs'
import { startNavigation } from './navigation/place'
import './styles/main.css'

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      // A refusal will be the same in a second; only what got no answer is asked again.
      retry: (count, error) => count < 2 && isApiError(error) && error.undecided,
    },
    mutations: { retry: false },
  },
})

reloadWhenLongAway(focusManager)
startRenewal(client, Math.random)
startNavigation({ admit, preload: preloadPage })
// The page's code and the words of the shell come at the same time.
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
