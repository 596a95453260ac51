import { execFile } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { givenApi } from '../packages/server/test-support/api.ts'
import { useEmptiedDatabase } from '../packages/server/test-support/database.ts'

const database = useEmptiedDatabase()

test('accounts are created, listed, suspended and resumed from the command line while the server runs', async () => {
  const operator = await givenApi(database.db)
  await operator.app.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(operator.app.server.address() as AddressInfo).port}`
  const run = (...words: string[]) =>
    new Promise<{ code: number; output: string; errors: string }>((resolve) => {
      const args = ['scripts/account.mjs', ...words, '--url', url, '--key', operator.keys.admin]
      const child = execFile(process.execPath, args, (_error, output, errors) =>
        resolve({ code: child.exitCode ?? -1, output, errors }),
      )
    })
  const made = await run('create', '--name', 'Shop team', '--owner', 'ann@example.test')
  expect(made).toMatchObject({ code: 0, output: expect.stringMatching(/Shop team.*\n.*\n\S+\/join\?token=vdi_/) })
  const id = made.output.split(' ')[0] ?? ''
  expect((await run('suspend', id, '--because', 'Unpaid')).output).toMatch(/suspended since .*: Unpaid/)
  expect((await run('list')).output.split('\n')).toContainEqual(expect.stringMatching(`^${id}.*suspended since`))
  expect((await run('resume', id)).output).toContain('in use')
  expect(await run('resume', 'nobody')).toMatchObject({ code: 1, errors: expect.stringContaining('404') })
  expect(await run('drop')).toMatchObject({ code: 1, errors: expect.stringContaining('Say list') })
  await operator.app.close()
})
