// Sends a canary down the whole road of a running server and prints how far it comes.
// Usage: npm run canary [-- --url http://127.0.0.1:8080] [--key <API key of an administrator>]
// Without --key: VEDETTE_API_KEY, then the key that the first start wrote to the data directory.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { url: { type: 'string' }, key: { type: 'string' } } })
const url = (values.url ?? `http://127.0.0.1:${process.env.VEDETTE_PORT ?? 8080}`).replace(/\/$/, '')
const key = values.key ?? process.env.VEDETTE_API_KEY ?? firstKey()
const everyMs = 500

let canary = await call('POST', '/v1/canary')
console.log(`The canary of ${new Date(canary.checkRunId).toISOString()}:`)
for (let shown = 0; ;) {
  for (const { name, what, at } of canary.steps.slice(shown)) {
    if (at === null) break
    console.log(`  ${name.padEnd(9)} ${String(Date.parse(at) - canary.checkRunId).padStart(6)} ms  ${what}`)
    shown++
  }
  if (canary.outcome === 'accepted') break
  if (canary.outcome === 'failed') fail(canary.failure)
  await new Promise((resolve) => setTimeout(resolve, everyMs))
  canary = await call('GET', `/v1/canary/${canary.checkRunId}`)
}
console.log('It went the whole road.')

function firstKey() {
  const file = join(process.env.VEDETTE_DATA_DIR ?? './data', 'first-api-key')
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    fail(`There is no key: pass --key, set VEDETTE_API_KEY, or let ${file} be readable (${error.code}).`)
  }
}

async function call(method, path) {
  const answer = await fetch(`${url}${path}`, { method, headers: { authorization: `Bearer ${key}` } }).catch((error) =>
    fail(`${url} does not answer (${error.cause?.code ?? error.message}); pass --url or start Vedette.`),
  )
  const what = `${method} ${url}${path} answered ${answer.status}`
  const text = await answer.text().catch(() => fail(`${url} broke off its answer; try again, and see its log.`))
  const body = parsed(text) ?? fail(`${what} ${shapeOf(answer, text)}; pass the address of Vedette with --url.`)
  if (!answer.ok) fail(`${what}: ${body.message}`)
  if (!Array.isArray(body.steps))
    fail(`${what} with something else than a canary; pass the address of Vedette with --url.`)
  return body
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    // The caller says what came instead.
    return undefined
  }
}

function shapeOf(answer, text) {
  if (text === '') return 'without a body'
  const type = answer.headers.get('content-type')?.split(';')[0] ?? 'something else'
  return `with ${type} instead of JSON`
}

function fail(text) {
  console.error(`canary: ${text}`)
  process.exit(1)
}
