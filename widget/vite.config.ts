// Builds the web chat into dist/widget: the page for the frame or on its own, and the script that a site embeds.
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Sites run the loader as a plain script: it must need no other file, and leave no names behind in their page. */
const loaderAlone: Plugin = {
  name: 'loader-alone',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk' || chunk.name !== 'loader') continue
      if (chunk.imports.length > 0) this.error(`The loader may not share code with the app: ${chunk.imports.join()}`)
      chunk.code = `(()=>{${chunk.code}})();`
    }
  },
}

export default defineConfig({
  root: file('.'),
  base: '/widget-files/',
  publicDir: false,
  plugins: [react(), loaderAlone],
  build: {
    outDir: file('../dist/widget'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: false,
    rolldownOptions: {
      input: { app: file('index.html'), loader: file('loader.ts') },
      output: {
        // The script that sites embed has a name for ever.
        entryFileNames: ({ name }) => (name === 'loader' ? 'widget.js' : 'assets/[name]-[hash].js'),
      },
    },
  },
})
