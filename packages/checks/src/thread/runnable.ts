import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const isCompiled = import.meta.url.endsWith('.js')
const nodeReadsTypeScript = 'typescript' in process.features && Boolean(process.features.typescript)

/** Whether a thread or process needs a loader to run our files: only their source needs one, and only in older Node. */
export const needsLoader = !isCompiled && !nodeReadsTypeScript

/** The file to start for a source file of ours: what the build made of it when this code was built too. */
export const runnable = (source: URL): URL => (isCompiled ? new URL(source.href.replace(/\.ts$/, '.js')) : source)

/** Options of Node for a thread that runs our code. They let it find our other packages in the form this code has. */
export const threadOptions: readonly string[] = isCompiled ? ['--enable-source-maps'] : ['--conditions=vedette-source']

/** Options of Node for a process that runs our code. */
export const processOptions: readonly string[] = needsLoader
  ? [...threadOptions, '--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href]
  : threadOptions
