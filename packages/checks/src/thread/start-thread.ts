import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * Starts a worker thread whose entry is a TypeScript file. Node 20 ignores loader hooks given to a worker by `--import`,
 * so there the thread registers tsx itself before it loads the entry; newer versions read TypeScript on their own.
 */
export function startThread(entry: URL, options: WorkerOptions = {}): Worker {
  if ('typescript' in process.features && process.features.typescript) {
    return new Worker(entry, { ...options, execArgv: [] })
  }
  return new Worker(new URL(`data:text/javascript,${encodeURIComponent(bootstrap(entry))}`), {
    ...options,
    execArgv: [],
  })
}

const bootstrap = (entry: URL): string =>
  `import { register } from ${JSON.stringify(tsxRegister())}; register(); await import(${JSON.stringify(entry.href)})`

function tsxRegister(): string {
  const require = createRequire(import.meta.url)
  // `require.resolve` finds the CommonJS twin; in a worker only the module beside it registers hooks.
  return pathToFileURL(require.resolve('tsx/esm/api').replace(/index\.cjs$/, 'index.mjs')).href
}
