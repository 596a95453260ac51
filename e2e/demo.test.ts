import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newDataDir, removeDataDir, root, until } from './product.ts'

let dataDir: string
let others: Server[]

/** Somebody else has all the usual ports. */
beforeAll(async () => {
  dataDir = await newDataDir()
  others = await Promise.all(
    [8080, 8090, 8091].map(async (port) => {
      const server = createServer()
      // Where one is taken already, it need not be taken again.
      await new Promise<void>((resolve) => server.once('error', () => resolve()).listen(port, '127.0.0.1', resolve))
      return server
    }),
  )
})

afterAll(async () => {
  for (const server of others) server.close()
  await removeDataDir(dataDir)
})

interface Demo {
  process: ChildProcess
  output(): string
  said(pattern: RegExp): Promise<string>
  /** Ctrl-C in a terminal: every process of the group gets it. */
  pressCtrlC(): void
  exitCode: Promise<number | null>
}

/** As `npm run demo` does it with a shell that is replaced by the program: npm passes signals on. */
function startDemo(): Demo {
  const env = { ...process.env, VEDETTE_DATA_DIR: dataDir, VEDETTE_CANARY: 'off', npm_config_script_shell: '/bin/bash' }
  const child = spawn('npm', ['run', '-s', 'demo'], { cwd: root, detached: true, stdio: 'pipe', env })
  let output = ''
  child.stdout.on('data', (text) => (output += text))
  child.stderr.on('data', (text) => (output += text))
  return {
    process: child,
    output: () => output,
    said: (pattern) => until(`${pattern} in ${output}`, () => Promise.resolve(pattern.exec(output)?.[1])),
    pressCtrlC: () => void process.kill(-(child.pid ?? 0), 'SIGINT'),
    exitCode: once(child, 'close').then(([code]) => code as number | null),
  }
}

test('the demo chooses free ports and says so, watches its shop there, and stops in order at Ctrl-C', async () => {
  for (const round of ['first', 'second']) {
    const demo = startDemo()
    const url = await demo.said(/ready at (\S+)/)
    const shop = await demo.said(/The demo shop: (\S+)/)
    await demo.said(/(Port 8090 is taken by another program: the shop is at \d+ this time)/)
    await demo.said(/(Port 8080 is taken by another program: Vedette is at \d+ this time)/)
    const key = (await readFile(join(dataDir, 'demo-key'), 'utf8')).trim()
    const checks = await fetch(`${url}/v1/checks`, { headers: { authorization: `Bearer ${key}` } })
    const made = (await checks.json()) as { name: string; request: { url?: string } }[]
    expect(made, round).toHaveLength(3)
    expect(made.find(({ name }) => name === 'Shop: front page')?.request.url).toBe(`${shop}/`)
    demo.pressCtrlC()
    expect(await demo.exitCode).toBe(0)
    expect(demo.output()).toMatch(/Stopping: letting running checks finish.*\nStopped\.\n$/)
    await expect(fetch(url)).rejects.toThrow('fetch failed')
  }
})

test('a second Ctrl-C ends the demo, whatever still runs', async () => {
  const demo = startDemo()
  await demo.said(/(The demo shop)/)
  demo.process.stdin?.write('s\n')
  await demo.said(/(The shop is now: slow)/)
  demo.pressCtrlC()
  await demo.said(/(Stopping)/)
  const again = setInterval(() => demo.pressCtrlC(), 700)
  await demo.exitCode
  clearInterval(again)
})
