import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const isCompiled = import.meta.url.endsWith('.js')
const nodeReadsTypeScript = 'typescript' in process.features && Boolean(process.features.typescript)
/** Without this option, as in a test runner, threads and processes run compiled files even when this file is source. */
const startsSource = process.execArgv.includes('--conditions=vedette-source')

const isTypeScript = (file: URL): boolean => file.pathname.endsWith('.ts')

/** The file to import for a source file of ours: its compiled file when this code is compiled too. */
export const runnable = (source: URL): URL => (isCompiled ? new URL(source.href.replace(/\.ts$/, '.js')) : source)

/**
 * The file to start as a thread or process for a file in `src` of a package of ours. Others are started as they are.
 */
export function startable(source: URL): URL {
  if (isCompiled || startsSource) return runnable(source)
  return new URL(source.href.replace(/^(.*\/packages\/[^/]+)\/src\/(.*)\.ts$/, '$1/dist/$2.js'))
}

/** Whether a thread or process needs a loader to run this file: only source needs one, and only in older Node. */
export const needsLoader = (file: URL): boolean => isTypeScript(file) && !nodeReadsTypeScript

/** Options of Node for a thread that runs this file. They let it find our other packages in the form the file has. */
export const threadOptions = (file: URL): string[] =>
  isTypeScript(file) ? ['--conditions=vedette-source'] : ['--enable-source-maps']

/** Options of Node for a process that runs this file. */
export const processOptions = (file: URL): string[] =>
  needsLoader(file)
    ? [...threadOptions(file), '--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href]
    : threadOptions(file)
