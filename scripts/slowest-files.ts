import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

/** Seconds a test file took: loading it, its hooks and its tests. */
export interface FileTime {
  path: string
  seconds: number
}

/** The slowest files, one line each with seconds and share of the sum over all files. */
export function slowestFiles(files: readonly FileTime[], most = 20): string[] {
  const sum = files.reduce((seconds, file) => seconds + file.seconds, 0)
  return files
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, most)
    .map(({ path, seconds }) => {
      const share = sum === 0 ? 0 : (100 * seconds) / sum
      return `${seconds.toFixed(1).padStart(7)} s ${share.toFixed(0).padStart(3)} %  ${path}`
    })
}

/** Reporter of Vitest that ends a run with its slowest files. */
export default class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map((module) => {
      const { collectDuration, duration } = module.diagnostic()
      return { path: relative(process.cwd(), module.moduleId), seconds: (collectDuration + duration) / 1000 }
    })
    process.stdout.write(`Slowest files:\n${slowestFiles(files).join('\n')}\n`)
  }
}
