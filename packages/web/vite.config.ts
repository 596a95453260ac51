import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig, type Plugin } from 'vite'

const server = process.env['VEDETTE_URL'] ?? 'http://127.0.0.1:8080'

/** Names all files of the app, so that a page can fetch what it may open later. */
const partsList: Plugin = {
  name: 'parts-list',
  generateBundle(_options, bundle) {
    const files = Object.keys(bundle).filter((file) => file.startsWith('assets/'))
    this.emitFile({ type: 'asset', fileName: 'parts.json', source: JSON.stringify(files.map((file) => `/${file}`)) })
  },
}

export default defineConfig({
  plugins: [react(), tailwindcss(), partsList],
  resolve: { conditions: ['vedette-source', ...defaultClientConditions] },
  build: { outDir: 'dist', emptyOutDir: true, sourcemap: false, target: 'es2023' },
  server: { proxy: { '/v1': server, '/v2': server, '/session': server } },
})
