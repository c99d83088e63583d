import { defineConfig, mergeConfig } from 'vitest/config'
import base from './vite.config.ts'

const DOM = 'src/**/*.dom.test.{ts,tsx}'

/** Most tests are plain functions and run in Node; `*.dom.test.*` get a document, which costs a second each. */
export default defineConfig((env) =>
  mergeConfig(base(env), {
    test: {
      projects: [
        {
          extends: true,
          test: {
            name: 'plain',
            environment: 'node',
            include: ['src/**/*.test.ts', 'mock/**/*.test.ts'],
            exclude: [DOM],
          },
        },
        {
          extends: true,
          test: {
            name: 'dom',
            environment: 'jsdom',
            include: [DOM],
            setupFiles: ['src/test-setup.ts'],
            restoreMocks: true,
            unstubGlobals: true,
          },
        },
      ],
    },
  }),
)
