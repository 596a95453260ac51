import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onStopSignals } from '../packages/checks/src/process/stop-signals.ts'
import { createDemoChecks, moveDemoChecks, type CallApi } from './demo-checks.ts'
import { shopModes, startDemoShop, type DemoShop, type ShopMode } from './demo-shop.ts'

// The product beside a small shop to watch, with a switch that breaks the shop.
const root = fileURLToPath(new URL('..', import.meta.url))
const dataDir = process.env['VEDETTE_DATA_DIR'] ?? join(root, 'data', 'demo')
const keyFile = join(dataDir, 'demo-key')
const usual = { vedette: 8080, shop: 8090, panel: 8091 }

mkdirSync(dataDir, { recursive: true })
const isNew = !existsSync(keyFile)
if (isNew) writeFileSync(keyFile, `vdu_demo_${randomBytes(24).toString('base64url')}`, { mode: 0o600 })
const apiKey = readFileSync(keyFile, 'utf8').trim()

const shop = await startDemoShop(usual)
const product = startProduct(process.env['VEDETTE_PORT'] ?? (await portForProduct()))
const ended = endOf(product)
onStopSignals({ first: () => product.kill('SIGTERM'), again: () => product.kill('SIGKILL') })
process.on('SIGHUP', () => product.kill('SIGTERM'))
// It is in no group with this process, and must not be left behind.
process.on('exit', () => product.kill('SIGTERM'))
void ended.then(async (code) => {
  await shop.stop()
  process.exit(code)
})
const url = await ready(product)
await (isNew ? createDemoChecks(call, shop) : moveDemoChecks(call, shop))
tell()
listenToKeys(shop)

/** In a group of its own: Ctrl-C reaches this process alone, which passes it on once. */
function startProduct(port: string): ChildProcess {
  return spawn('sh', ['scripts/run-node.sh', 'packages/server/dist/main.js'], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, VEDETTE_DATA_DIR: dataDir, VEDETTE_PORT: port, VEDETTE_BOOTSTRAP_API_KEY: apiKey },
  })
}

/** The usual port of Vedette, or 0 when somebody listens there. */
async function portForProduct(): Promise<string> {
  const probe = createServer()
  const isFree = await new Promise<boolean>((resolve) => {
    probe.once('error', () => resolve(false)).listen(usual.vedette, '127.0.0.1', () => resolve(true))
  })
  probe.close()
  return isFree ? String(usual.vedette) : '0'
}

/** The exit code, once everything that it printed was read. */
async function endOf(child: ChildProcess): Promise<number> {
  const [code] = (await once(child, 'close')) as [number | null]
  return code ?? 1
}

async function ready(child: ChildProcess): Promise<string> {
  let output = ''
  child.stdout?.on('data', (part: Buffer) => {
    output += part.toString()
    process.stdout.write(part)
  })
  while (!output.includes('Stop with Ctrl-C')) await once(child.stdout!, 'data')
  return /ready at (\S+)/.exec(output)?.[1] ?? ''
}

async function call(...[method, path, body]: Parameters<CallApi>): Promise<unknown> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
  return response.json()
}

function tell(): void {
  console.log(`
The demo shop: ${shop.url}
Its switch and its inbox of alerts: ${shop.panelUrl}
  Break it here with a key and Enter: ${shopModes.map((mode) => `${mode[0]} = ${mode}`).join(', ')}
API key of the demo: in ${keyFile}
${movedPorts()}`)
}

function movedPorts(): string {
  const now = { vedette: Number(new URL(url).port), shop: shop.port, panel: Number(new URL(shop.panelUrl).port) }
  const names = { vedette: 'Vedette', shop: 'the shop', panel: 'the switch' }
  const isChosen = process.env['VEDETTE_PORT'] !== undefined
  const moved = (['vedette', 'shop', 'panel'] as const).filter(
    (part) => now[part] !== usual[part] && !(part === 'vedette' && isChosen),
  )
  return moved
    .map((part) => `Port ${usual[part]} is taken by another program: ${names[part]} is at ${now[part]} this time.\n`)
    .join('')
}

function listenToKeys(target: DemoShop): void {
  process.stdin.setEncoding('utf8')
  process.stdin.on('data', (text) => {
    const mode: ShopMode | undefined = shopModes.find((each) => each[0] === String(text).trim()[0])
    if (mode) void target.set(mode).then(() => console.log(`The shop is now: ${mode}`))
  })
}
