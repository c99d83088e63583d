import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { focusManager, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { isApiError } from './api/envelope'
import { reloadWhenLongAway } from './app/awake'
import { router } from './app/router'
import { startLanguage } from './i18n/catalogs'
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

async function start(): Promise<void> {
  await startLanguage()
  const root = document.getElementById('root')
  if (root === null) return
  createRoot(root).render(
    <StrictMode>
      <I18nProvider i18n={i18n}>
        <QueryClientProvider client={client}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </I18nProvider>
    </StrictMode>,
  )
}

void start()
