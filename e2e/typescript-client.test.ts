import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDocumentProxy, type AnswersDocument } from './document-proxy.ts'
import { removeDataDir, root, startProduct, type Product } from './product.ts'

const folder = join(root, 'examples', 'typescript-client')
let product: Product
let document: AnswersDocument

beforeAll(async () => {
  product = await startProduct()
  document = (await product.api<AnswersDocument>('GET', '/docs/json')).body
})
afterAll(async () => {
  await product.stop()
  await removeDataDir(product.dataDir)
})

/** Runs a script of the example as its reader does. */
const npmRun = (args: string[], env: Record<string, string> = {}) =>
  new Promise<{ code: number | null; said: string; complained: string }>((resolve) => {
    const child = execFile(
      'npm',
      ['run', '--silent', ...args],
      { cwd: folder, env: { ...process.env, ...env } },
      (_error, said, complained) => resolve({ code: child.exitCode, said, complained }),
    )
  })

async function newKey(): Promise<string> {
  const { body } = await product.api<{ rawKey: string }>('POST', '/v1/api-keys', { name: 'Tour', role: 'admin' })
  return body.rawKey
}

test('a client is generated from the running server, fits the tour, and takes it', async () => {
  const generated = await npmRun(['generate', '--', `${product.url}/docs/json`])
  expect(generated.code, generated.said + generated.complained).toBe(0)
  const types = await npmRun(['types'])
  expect(types.code, types.said).toBe(0)

  const proxy = await startDocumentProxy(product.url, document)
  const tour = await npmRun(['tour'], { VEDETTE_URL: proxy.url, VEDETTE_API_KEY: await newKey() })
  await proxy.stop()
  expect(tour.code, tour.said + tour.complained).toBe(0)
  expect(tour.said.trim().split('\n')).toEqual([
    'account Main',
    expect.stringMatching(/^snippet \d+ made$/),
    'secret variable made, and its value is not answered',
    expect.stringMatching(/^private location tour-\w+ made, with a key for its agents$/),
    expect.stringMatching(/^alert channel \d+ made$/),
    expect.stringMatching(/^check group \d+ made$/),
    'checks made: API, URL, TCP, HEARTBEAT',
    'heartbeat pinged, and passing',
    'URL check subscribed to the alert channel',
    '4 checks listed, in pages of two, and one by its type',
    '3 sessions run and passed',
    expect.stringMatching(/^results read: of the API check in [\d.]+ ms, without the secret$/),
    'statuses read: passing',
    'API check refers to the snippet',
    'four checks changed at once, and changed back',
    expect.stringMatching(/^\d+ resources exported; their import would change nothing$/),
    expect.stringMatching(/^audit log read: \d+ entries of the API check$/),
    'deleted: heartbeat check, TCP check, URL check, API check, check group, alert channel, private location, variable, snippet',
    'nothing is left',
  ])
  expect(proxy.differences).toEqual([])
  expect(proxy.called.size).toBeGreaterThan(35)
})

test('the tour fails with a sentence, and a document that lies about an answer is noticed', async () => {
  const lie = structuredClone(document)
  Object.assign(lie.components.schemas['Account']?.properties ?? {}, { name: { type: 'number' } })
  const proxy = await startDocumentProxy(product.url, lie)
  const refused = await npmRun(['tour'], { VEDETTE_URL: proxy.url, VEDETTE_API_KEY: 'wrong' })
  expect(refused).toMatchObject({ code: 1, complained: expect.stringContaining('answered 401: ') as string })
  expect(proxy.differences).toEqual([])
  const answer = await fetch(`${proxy.url}/v1/accounts/me`, { headers: { authorization: `Bearer ${await newKey()}` } })
  expect(answer.status).toBe(200)
  expect(proxy.differences).toMatchObject([expect.stringContaining('/name must be number')])
  await proxy.stop()
})
