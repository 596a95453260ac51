import { locations, runtimeIds } from '@vedette/wire'
import { beforeAll, expect, test } from 'vitest'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { useDatabase } from '../../../test-support/database.ts'

const database = useDatabase()
let api: TestApi

beforeAll(async () => {
  api = await givenApi(database.db)
})

const read = async (url: string) => {
  const { statusCode, body } = await api.app.inject({ url })
  return { status: statusCode, body: JSON.parse(body) as Record<string, unknown> & Record<string, unknown>[] }
}

test('every runtime that a check may name is listed, the newest first, for anybody', async () => {
  const { status, body } = await read('/v1/runtimes')
  expect([status, body.map(({ name }) => name)]).toEqual([200, [...runtimeIds]])
  expect(body.filter(({ stage }) => stage === 'CURRENT').map(({ name }) => name)).toEqual(['2026.04'])
})

test('one runtime tells its Node.js and its packages', async () => {
  expect((await read('/v1/runtimes/2024.02')).body).toMatchObject({
    name: '2024.02',
    nodeJsVersion: 'v18.20.3',
    multiStepSupport: true,
    dependencies: { playwright: '1.42.1', axios: '0.28.0', 'protobufjs/light': '7.2.6' },
  })
  expect((await read('/v1/runtimes/2022.10')).body).toMatchObject({ multiStepSupport: false })
  expect(await read('/v1/runtimes/2021.01')).toMatchObject({ status: 404, body: { message: 'No such runtime.' } })
})

test('the locations are listed by region and name, for anybody', async () => {
  const { status, body } = await read('/v1/locations')
  expect([status, body.map(({ region }) => region)]).toEqual([200, [...locations]])
  expect(body).toContainEqual({ region: 'eu-west-1', name: expect.stringContaining('Ireland') })
})
