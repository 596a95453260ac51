// Threads and processes that tests start run compiled packages. Vitest calls this once before the tests.
import { buildPackages } from './build.mjs'

export function setup(project) {
  buildPackages()
  project.onTestsRerun(buildPackages)
}
