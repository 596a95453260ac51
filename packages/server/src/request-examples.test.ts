import { beforeAll, describe, expect, test } from 'vitest'
import { exampleOf, operationsOf, variantsOf, type OpenApiDocument } from '../../web/test-support/request-examples.ts'
import { keysOf } from '../test-support/api.ts'
import { givenAccount, useEmptiedDatabase } from '../test-support/database.ts'
import { givenWholeApp } from '../test-support/whole-app.ts'
import type { App } from './http/build-http.ts'

const database = useEmptiedDatabase()
let app: App
let document: OpenApiDocument
let key: string

beforeAll(async () => {
  app = await givenWholeApp(database.db)
  document = app.swagger() as unknown as OpenApiDocument
  key = (await keysOf(database.db, await givenAccount(database.db))).admin
})

/** Every body of the document: of a choice of shapes, one for each. */
function bodies() {
  const { schemas } = document.components
  const example = (schema: object) => exampleOf(schema, schemas, new Date())
  return operationsOf(document).flatMap(({ method, path, parameters, body }) => {
    if (body === undefined) return []
    const url = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
      String(example(parameters.find((one) => one.name === name)?.schema ?? {})),
    )
    const shapes = [body, ...variantsOf(body, schemas).map(({ schema }) => schema)]
    return shapes.map((shape) => ({ method, path, url, body: example(shape) }))
  })
}

/** Stands in examples where the id of a check belongs. */
const exampleId = '01980d5e-7a3c-8f21-9b64-c2d1f0a4e6b8'

const send = (method: string, url: string, payload: unknown) =>
  app.inject({
    method: method as 'POST',
    url,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    payload: JSON.stringify(payload),
  })

/** Creates a check of the type from the example for it, and answers its id. */
async function created(type: string): Promise<string> {
  const path = `/v1/checks/${type}`
  const answer = await send('POST', path, bodies().find((each) => each.path === path)?.body)
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json<{ id: string }>().id
}

describe('the example of every body in the OpenAPI document', () => {
  test('is taken as valid', async () => {
    const check = await created('api')
    expect(bodies().length).toBeGreaterThan(20)
    for (const { method, path, url, body } of bodies()) {
      const sent = JSON.stringify(body).replaceAll(exampleId, check)
      const { statusCode, body: answer } = await send(method, url.replace(exampleId, check), JSON.parse(sent))
      // The body is looked at first: then what the address names may not be there, have nothing to acknowledge, or find
      // nobody who runs checks or sends alerts.
      expect([200, 201, 404, 408, 409, 503], `${method} ${path} with ${sent}: ${statusCode} ${answer}`).toContain(
        statusCode,
      )
    }
  })

  test('changes what a check is', async () => {
    for (const type of ['api', 'tcp']) {
      const body = bodies().find((each) => each.path === `/v1/checks/${type}/{id}`)?.body
      const answer = await send('PUT', `/v1/checks/${type}/${await created(type)}`, body)
      expect(answer.statusCode, answer.body).toBe(200)
    }
  })
})
