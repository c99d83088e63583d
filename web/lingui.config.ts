import { defineConfig } from '@lingui/cli'
import { formatter } from '@lingui/format-po'

/**
 * The catalogs that must be complete. They deliberately have no fallback, because with a fallback
 * `lingui compile --strict` would never report a missing text.
 */
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'zh-CN'],
  format: formatter({ lineNumbers: false, origins: false }),
  catalogs: [
    {
      path: '<rootDir>/src/features/{name}/locales/{locale}',
      include: ['<rootDir>/src/features/{name}/'],
      exclude: [
        '<rootDir>/src/features/identity/login/**',
        '<rootDir>/src/features/market/nftHall/**',
        '<rootDir>/src/features/market/filters/**',
        '<rootDir>/src/features/market/matching/**',
      ],
    },
    {
      path: '<rootDir>/src/features/identity/login/locales/{locale}',
      include: ['<rootDir>/src/features/identity/login/'],
    },
    {
      path: '<rootDir>/src/features/market/nftHall/locales/{locale}',
      include: ['<rootDir>/src/features/market/nftHall/'],
    },
    {
      path: '<rootDir>/src/features/market/filters/locales/{locale}',
      include: ['<rootDir>/src/features/market/filters/', '<rootDir>/src/features/market/matching/'],
    },
    {
      path: '<rootDir>/src/components/pass/locales/{locale}',
      include: ['<rootDir>/src/components/pass/'],
    },
    {
      path: '<rootDir>/src/components/ending/locales/{locale}',
      include: ['<rootDir>/src/components/ending/'],
    },
    {
      path: '<rootDir>/src/components/trading/locales/{locale}',
      include: ['<rootDir>/src/components/trading/'],
    },
    {
      path: '<rootDir>/src/components/nft/locales/{locale}',
      include: ['<rootDir>/src/components/nft/'],
    },
    {
      path: '<rootDir>/src/components/notices/locales/{locale}',
      include: ['<rootDir>/src/components/notices/'],
    },
    {
      path: '<rootDir>/src/components/methods/locales/{locale}',
      include: ['<rootDir>/src/components/methods/'],
    },
    {
      path: '<rootDir>/src/components/locales/{locale}',
      include: ['<rootDir>/src/components/'],
      exclude: [
        '<rootDir>/src/components/pass/**',
        '<rootDir>/src/components/ending/**',
        '<rootDir>/src/components/trading/**',
        '<rootDir>/src/components/nft/**',
        '<rootDir>/src/components/notices/**',
        '<rootDir>/src/components/methods/**',
      ],
    },
    {
      path: '<rootDir>/src/api/locales/{locale}',
      include: ['<rootDir>/src/api/'],
    },
    {
      path: '<rootDir>/src/console/locales/{locale}',
      include: ['<rootDir>/src/console/'],
    },
    {
      path: '<rootDir>/src/app/locales/{locale}',
      include: [
        '<rootDir>/src/app/',
        '<rootDir>/src/ui/',
        '<rootDir>/src/lib/',
        '<rootDir>/src/session/',
        '<rootDir>/src/command/',
      ],
    },
  ],
})
