import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { removeDataDir, root, startProduct, type Product } from './product.ts'

let product: Product
let folder: string

beforeAll(async () => {
  product = await startProduct()
  folder = await mkdtemp(join(tmpdir(), 'vedette-files-'))
  await writeFile(
    join(folder, 'checks.yaml'),
    `checks:
  - name: Cart
    type: API
    group: Shop
    activated: false
    request:
      url: https://127.0.0.1:1/
      basicAuth: { username: joe, password: { $env: CART_PASSWORD } }
`,
  )
  await writeFile(join(folder, 'groups.json'), JSON.stringify({ checkGroups: [{ name: 'Shop' }] }))
  await writeFile(join(folder, 'README.md'), 'not configuration')
})
afterAll(async () => {
  await product.stop()
  await removeDataDir(product.dataDir)
  await rm(folder, { recursive: true })
})

/** Runs the script as `npm run` does. */
const run = (args: string[], env: Record<string, string> = {}): Promise<{ code: number; said: string }> =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['scripts/configuration-files.mjs', ...args],
      { cwd: root, env: { ...process.env, VEDETTE_API_KEY: product.apiKey, ...env } },
      (_error, output, errors) => resolve({ code: child.exitCode ?? -1, said: output + errors }),
    )
  })
const apply = (more: string[] = [], env: Record<string, string> = {}) =>
  run(['apply', folder, '--url', product.url, ...more], env)

test('a folder of files is planned, applied, found unchanged, changed, and what left it is deleted', async () => {
  const secret = { CART_PASSWORD: 'cart-in-clear' }
  expect(await apply()).toEqual({
    code: 2,
    said: 'check "Cart": "request.basicAuth.password" names CART_PASSWORD, for which no value was sent and none is stored\n',
  })
  const created = '+ checkGroup "Shop"\n+ check "Cart"\n'
  expect(await apply(['--dry-run'], secret)).toEqual({
    code: 0,
    said: `${created}2 to create, 0 to change, 0 to delete, 0 unchanged.\n`,
  })
  expect(await apply([], secret)).toEqual({
    code: 0,
    said: `${created}2 created, 0 changed, 0 deleted, 0 unchanged.\n`,
  })
  expect((await apply()).said).toBe('0 created, 0 changed, 0 deleted, 2 unchanged.\n')
  const file = join(folder, 'checks.yaml')
  await writeFile(file, (await readFile(file, 'utf8')).replace('name: Cart', 'name: Basket'))
  const renamed = await apply(['--delete'], secret)
  expect(renamed).toEqual({
    code: 0,
    said: '+ check "Basket"\n- check "Cart"\n1 created, 0 changed, 1 deleted, 1 unchanged.\n',
  })
  expect(renamed.said).not.toContain('in-clear')
})

test('an export writes a file for each kind, which changes nothing when it is applied', async () => {
  const to = join(folder, 'exported')
  expect((await run(['export', to, '--url', product.url])).code).toBe(0)
  expect(await readdir(to)).toEqual(['account.yaml', 'check-groups.yaml', 'checks.yaml'])
  const applied = await run(['apply', to, '--delete', '--url', product.url])
  expect(applied).toEqual({ code: 0, said: '0 created, 0 changed, 0 deleted, 3 unchanged.\n' })
  const again = await run(['export', to, '--url', product.url])
  expect(again).toMatchObject({ code: 2, said: expect.stringContaining('is there already') as string })
})

test('what is wrong with the call is told apart from what is wrong with the files', async () => {
  expect(await apply([], { VEDETTE_API_KEY: 'wrong' })).toMatchObject({
    code: 1,
    said: expect.stringContaining('answered 401') as string,
  })
  expect((await run(['apply', folder, '--url', 'http://127.0.0.1:1'])).code).toBe(1)
  expect((await run(['apply', join(folder, 'nothing-here'), '--url', product.url])).code).toBe(2)
  expect((await run(['apply', folder, '--nope'])).code).toBe(1)
})
