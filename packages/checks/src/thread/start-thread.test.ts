import { writeFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { startThread } from './start-thread.ts'

test('a thread runs TypeScript, its imports and its dynamic imports', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'thread-'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'other.ts'), 'export const twice = (n: number): number => n * 2')
  writeFileSync(
    join(folder, 'entry.ts'),
    `import { parentPort, workerData } from 'node:worker_threads'
     const n: number = workerData
     void import('./other.ts').then(({ twice }) => parentPort!.postMessage(twice(n)))`,
  )
  const worker = startThread(pathToFileURL(join(folder, 'entry.ts')), { workerData: 21 })
  try {
    const answer = await new Promise((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
    })
    expect(answer).toBe(42)
  } finally {
    await worker.terminate()
    rmSync(folder, { recursive: true })
  }
})
