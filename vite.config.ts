// Builds the web client into dist/web; in development proxies everything that is not the client to the server.
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const server = process.env.PARLEY_SERVER ?? 'http://localhost:3000'

/** Libraries and small shared modules travel in a few files; without this each of them would be a request of its own. */
const chunks = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler|react-router|cookie|set-cookie-parser)\// },
  {
    name: 'forms',
    // Every shared schema: one that lay elsewhere would need this file while this file needs it, and neither could start.
    test: /node_modules\/(react-hook-form|@hookform|zod)\/|shared\/(?!limits|ids|organizations\/policy|channels\/manifest|agents\/models)[\w/-]+\.ts/,
  },
  { name: 'icons', test: /node_modules\/lucide-react\//, minShareCount: 2 },
  {
    name: 'base',
    test: /node_modules\/(convex|i18next|react-i18next|@tanstack\/(react-query|query-core)|sonner|tailwind-merge|clsx|class-variance-authority|react-error-boundary|@radix-ui\/react-(slot|compose-refs))\/|shared\/(limits|ids|organizations\/policy|channels\/manifest[\w/-]*)\.ts|web\/(api\.ts|lib\/(?!([\w-]+\/)?(shortcuts|use-entity|use-unread|format|auth-errors|time-zone|own-settings))|components\/ui\/(button|spinner|copy-button|toaster|delayed|skeleton|page|logo)\.tsx)/,
  },
  {
    name: 'components',
    test: /node_modules\/(@radix-ui|@floating-ui|react-remove-scroll|react-remove-scroll-bar|react-style-singleton|use-sidecar|use-callback-ref|aria-hidden|react-hotkeys-hook|nuqs)\/|web\/(lib\/|components\/ui\/(?!markdown-content|command))/,
  },
]

/**
 * Limits and paths lie in `base`, and what is made from them starts in files that need it. A module of `base` that needs one of those files
 * would have that start first, with everything of `base` undefined.
 */
const baseStartsFirst: Plugin = {
  name: 'base-starts-first',
  generateBundle(_, bundle) {
    const files = Object.values(bundle).filter((file) => file.type === 'chunk')
    const base = files.find((file) => file.name === 'base')
    for (const { name, fileName } of files) {
      if ((name === 'forms' || name === 'components') && base?.imports.includes(fileName))
        this.error(`A module of the chunk "base" imports one of "${name}": leave it out of "base" in vite.config.ts`)
    }
  },
}

/** Service workers stand at the root of the site, under a name that stays. */
const pushWorker: Plugin = {
  name: 'push-worker',
  apply: 'build',
  buildStart() {
    this.emitFile({ type: 'chunk', id: 'web/push-worker.ts', fileName: 'push-worker.js' })
  },
}

/** Builds for browsers that write markup, which the policy of the page refuses, and what is built in their place. */
const withoutMarkup = {
  // Decodes the entities of Markdown by a table of its own; the other build has the browser parse each.
  'decode-named-character-reference': fileURLToPath(
    new URL('node_modules/decode-named-character-reference/index.js', import.meta.url),
  ),
}

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  publicDir: 'web/public',
  plugins: [react(), tailwindcss(), baseStartsFirst, pushWorker],
  resolve: { alias: withoutMarkup },
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    target: 'es2023',
    sourcemap: true,
    // The page is served under a strict content security policy, which has no place for data: scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: chunks, includeDependenciesRecursively: false } } },
  },
  server: {
    port: 5173,
    proxy: {
      '/api': { target: server, ws: true },
      '/files': server,
      '/webhooks': server,
      '/widget': server,
      '/talk': server,
    },
  },
})
