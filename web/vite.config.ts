import { lingui } from '@lingui/vite-plugin'
import babel from '@rolldown/plugin-babel'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { consoleBuild, consolePages, entryPage, isConsoleBuild } from './build/console.ts'
import { flags } from './build/flags.ts'
import { precompress } from './build/precompress.ts'
import { mockBackend } from './mock/vite.ts'

const api = process.env['MEC2C_API'] ?? 'http://127.0.0.1:8080'

const backend = { '/api': { target: api, ws: true, changeOrigin: false } }

/** The macro must run before React's transform, or its components stay undefined at run time. */
const linguiMacro = babel({ plugins: ['@lingui/babel-plugin-lingui-macro'] })

export default defineConfig(({ mode }) => ({
  plugins: [
    linguiMacro,
    react({ compiler: true }),
    lingui({ failOnMissing: mode === 'production', failOnCompileError: true }),
    tailwindcss(),
    ...(isConsoleBuild() ? [] : [flags(), consoleBuild(mode)]),
    precompress(),
    consolePages(),
    ...(mode === 'mock' ? [mockBackend()] : []),
  ],
  resolve: { alias: { '@': new URL('./src', import.meta.url).pathname } },
  build: {
    // The mock build has its own folder, so that it can never replace the production build.
    outDir: mode === 'mock' ? 'dist-mock' : 'dist',
    target: 'es2023',
    emptyOutDir: !isConsoleBuild(),
    copyPublicDir: !isConsoleBuild(),
    manifest: isConsoleBuild() ? '.vite/console.json' : true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      input: entryPage(),
      output: {
        // The entry names every file. Tests of the mock build tell files by their names.
        ...(mode === 'mock' ? {} : { chunkFileNames: 'assets/[hash].js' }),
        codeSplitting: {
          // One file compresses better than seven, and a phone asks for it in one round trip.
          groups: [
            {
              name: 'vendor',
              test: /node_modules\/(?:react|react-dom|scheduler|@tanstack(?!.*(?:queriesObserver|useQueries|infiniteQueryObserver|useInfiniteQuery)\.)|@lingui|zustand|openapi-fetch)\//,
            },
            // What almost every screen uses, the login too, which would otherwise be split into a file for each set of
            // screens.
            {
              name: 'shared',
              test: /lucide-react\/dist\/esm\/(?:\w+|icons\/(?:chevron-right|shield-check))\.|\/src\/(?:api\/(?:client|createApi|envelope|queries)|command\/(?:LoadFailed|QueryError|StaleNotice|explainError)|i18n\/format|lib\/(?:decimal|text)|navigation\/(?:location|navigation)|ui\/(?:Button|PanelFailed|Problem|Skeleton|Spinner|State|loadable|toast|useMedia))\.tsx?$/,
            },
            // What the screens of a user share: lists, traders, coins and NFTs, and exact arithmetic.
            {
              name: 'trade',
              test: /big\.js\/|@tanstack\/.*\/(?:queriesObserver|useQueries|infiniteQueryObserver|useInfiniteQuery)\.|lucide-react\/dist\/esm\/icons\/(?:badge-check|chevron-down|zap)\.|\/src\/(?:api\/nftName|components\/(?:LazyNft|MethodLabels|MoreRecords|TraderLine|advertEscrow|methodNames|useCoins|useMoney)|lib\/money|ui\/(?:Badge|Countdown|Chip(?:Select)?))\.tsx?$/,
            },
            // What forms share.
            {
              name: 'form',
              test: /\/src\/(?:command\/useCommand|components\/pass\/usePassReturn|features\/identity\/(?:proofLife|registration|validation)|lib\/encrypt|ui\/(?:Field|SecretField|Sheet))\.tsx?$/,
            },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: mode === 'mock' ? {} : backend,
  },
  preview: { host: '127.0.0.1', proxy: mode === 'mock' ? {} : backend },
}))
