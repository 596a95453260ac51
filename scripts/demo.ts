import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { shopModes, startDemoShop, type DemoShop, type ShopMode } from './demo-shop.ts'

// The product beside a small shop to watch, with a switch that breaks the shop.
const root = fileURLToPath(new URL('..', import.meta.url))
const dataDir = process.env['VEDETTE_DATA_DIR'] ?? join(root, 'data', 'demo')
const port = process.env['VEDETTE_PORT'] ?? '8080'
const keyFile = join(dataDir, 'demo-key')

mkdirSync(dataDir, { recursive: true })
const isNew = !existsSync(keyFile)
if (isNew) writeFileSync(keyFile, `vdu_demo_${randomBytes(24).toString('base64url')}`, { mode: 0o600 })
const apiKey = readFileSync(keyFile, 'utf8').trim()

const shop = await startDemoShop({ shop: 8090, panel: 8091 })
const product = startProduct()
const url = await ready(product)
if (isNew) await createChecks()
tell()
listenToKeys(shop)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop())

function startProduct(): ChildProcess {
  return spawn('sh', ['scripts/run-node.sh', 'packages/server/dist/main.js'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, VEDETTE_DATA_DIR: dataDir, VEDETTE_PORT: port, VEDETTE_BOOTSTRAP_API_KEY: apiKey },
  })
}

async function ready(child: ChildProcess): Promise<string> {
  let output = ''
  const exited = once(child, 'exit').then(() => process.exit(1))
  child.stdout?.on('data', (part: Buffer) => {
    output += part.toString()
    process.stdout.write(part)
  })
  while (!output.includes('Stop with Ctrl-C')) await Promise.race([once(child.stdout!, 'data'), exited])
  return /ready at (\S+)/.exec(output)?.[1] ?? ''
}

async function createChecks(): Promise<void> {
  await post('/v1/alert-channels', {
    type: 'WEBHOOK',
    config: { name: 'Demo inbox', url: `${shop.panelUrl}/alerts` },
    sendDegraded: true,
    autoSubscribe: true,
  })
  const common = { frequency: 0, frequencyOffset: 10, locations: ['eu-west-1', 'us-east-1'], tags: ['shop'] }
  await post('/v1/checks/api', {
    ...common,
    name: 'Shop: products',
    description: 'The list of products holds at least one product.',
    degradedResponseTime: 2000,
    maxResponseTime: 10_000,
    request: {
      url: `${shop.url}/api/products`,
      assertions: [
        { source: 'STATUS_CODE', comparison: 'EQUALS', target: '200' },
        { source: 'JSON_BODY', property: '$.products.length', comparison: 'GREATER_THAN', target: '0' },
      ],
    },
  })
  await post('/v1/checks/api', {
    ...common,
    name: 'Shop: front page',
    request: {
      url: `${shop.url}/`,
      assertions: [{ source: 'TEXT_BODY', property: '', comparison: 'CONTAINS', target: 'Lookout supplies' }],
    },
  })
  await post('/v1/checks/tcp', { ...common, name: 'Shop: port', request: { hostname: '127.0.0.1', port: shop.port } })
}

async function post(path: string, body: unknown): Promise<void> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
}

function tell(): void {
  console.log(`
The demo shop: ${shop.url}
Its switch and its inbox of alerts: ${shop.panelUrl}
  Break it here with a key and Enter: ${shopModes.map((mode) => `${mode[0]} = ${mode}`).join(', ')}
API key of the demo: in ${keyFile}
`)
}

function listenToKeys(target: DemoShop): void {
  process.stdin.setEncoding('utf8')
  process.stdin.on('data', (text) => {
    const mode: ShopMode | undefined = shopModes.find((each) => each[0] === String(text).trim()[0])
    if (mode) void target.set(mode).then(() => console.log(`The shop is now: ${mode}`))
  })
}

async function stop(): Promise<void> {
  const gone = once(product, 'exit')
  product.kill('SIGTERM')
  await gone
  await shop.stop()
  process.exit(0)
}
