import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { useDatabase } from '../../../test-support/database.ts'
import { givenApi } from '../../../test-support/api.ts'

const database = useDatabase()

test('the OpenAPI document passes the linter', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vedette-openapi-'))
  try {
    const { app } = await givenApi(database.db)
    const document = (await app.inject('/openapi.json')).body
    const file = join(folder, 'openapi.json')
    await writeFile(file, document)
    const cli = createRequire(import.meta.url).resolve('@redocly/cli/package.json')
    const run = promisify(execFile)(process.execPath, [join(dirname(cli), 'bin/cli.js'), 'lint', file], {
      cwd: folder,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' },
    })
    const { stderr } = await run
    expect(stderr).toMatch(/Your API description is valid/)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
