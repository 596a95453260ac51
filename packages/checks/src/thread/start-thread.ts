import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { needsLoader, startable, threadOptions } from './runnable.ts'

/**
 * Starts a worker thread whose entry is a source file of ours. Node 20 ignores loader hooks given to a worker by
 * `--import`, so a thread that runs TypeScript there registers tsx itself before it loads the entry.
 */
export function startThread(entry: URL, options: WorkerOptions = {}): Worker {
  const file = startable(entry)
  const start = needsLoader(file) ? new URL(`data:text/javascript,${encodeURIComponent(bootstrap(file))}`) : file
  return new Worker(start, { ...options, execArgv: threadOptions(file) })
}

const bootstrap = (entry: URL): string =>
  `import { register } from ${JSON.stringify(tsxRegister())}; register(); await import(${JSON.stringify(entry.href)})`

function tsxRegister(): string {
  const require = createRequire(import.meta.url)
  // `require.resolve` finds the CommonJS file; in a worker only the module beside it registers hooks.
  return pathToFileURL(require.resolve('tsx/esm/api').replace(/index\.cjs$/, 'index.mjs')).href
}
