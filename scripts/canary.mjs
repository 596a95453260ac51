// Sends a canary down the whole road of a running server and prints how far it comes.
// Usage: npm run canary [-- --url http://127.0.0.1:8080] [--key <API key of an administrator>]
// Without --key: VEDETTE_API_KEY, then the key that the first start wrote to the data directory.
import { parseArgs } from 'node:util'
import { askServer, serverOptions } from './ask-server.mjs'

const { call, fail } = askServer('canary', parseArgs({ options: serverOptions }).values)
const expected = { isExpected: ({ steps }) => Array.isArray(steps), thing: 'a canary' }
const everyMs = 500

let canary = await call('POST', '/v1/canary', expected)
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
  canary = await call('GET', `/v1/canary/${canary.checkRunId}`, expected)
}
console.log('It went the whole road.')
