import { beforeAll, expect, test } from 'vitest'
import { useDatabase } from '../../../test-support/database.ts'
import { givenWholeApp } from '../../../test-support/whole-app.ts'

const database = useDatabase()

type Json = Record<string, unknown>
let document: { paths: Json; components: { schemas: Record<string, Json> } }

beforeAll(async () => {
  document = (await givenWholeApp(database.db)).swagger() as unknown as typeof document
})

/** What takes any value, and why: the name of a schema, with the fields that lead there. `*` is any name. */
const reasons: [place: RegExp, reason: string][] = [
  [/^AgenticCheckResult\.(steps\.\[\]\.input|errors\.\[\]|artifactManifest)\.\*$/, 'No agent runs this type yet.'],
  [/^\w+CheckResult\.jobLog\.\*$/, 'Nothing writes a log for these types yet: it is null.'],
  [
    /^AlertChannel(PreviewWriteInput|WriteInput)?\.config\.\*$/,
    'Kinds differ: GET /v1/alert-channel-kinds has a schema.',
  ],
  [
    /^AlertChannelKind\.(defaults|schema)\.\*$/,
    'Of the config of a kind, and a JSON Schema, which holds what it likes.',
  ],
  [/^AlertChannelKind\.form\.\[\]\.fields\.\[\]\.visibleWhen\.oneOf\.\[\]$/, 'Values of whichever field is named.'],
  [/^AlertNotification\.alertConfig\.\*$/, 'The config of the channel as it was then, of any kind.'],
  [/^AuditEntry\.(before|after)\.\*$/, 'Resources of any kind, as they were then.'],
  [
    /^Configuration(Document|ImportInput)\.\w+\.(\[\]\.)?\*$/,
    'Any value may be a reference instead; an import names what is wrong.',
  ],
  [/^ConfigurationPlan\.plan\.\[\]\.changes\.\[\]\.(before|after)$/, 'Values of any field.'],
  [/^TemplateVariable\.sample$/, 'Values of any variable: texts, numbers, lists.'],
]

const annotations = new Set(['title', 'description', 'default', 'examples', 'deprecated', 'id'])

/** Places below a schema that take whatever stands there, but for what requests may repeat of an answer (`readOnly`). */
function* anythings(schema: unknown, path: string): Generator<string> {
  if (schema === true) yield path
  if (typeof schema !== 'object' || schema === null) return
  const said = schema as Json
  if (Object.keys(said).every((key) => annotations.has(key))) yield path
  for (const [name, member] of Object.entries((said['properties'] as Json | undefined) ?? {}))
    yield* anythings(member, `${path}.${name}`)
  for (const choice of ['oneOf', 'anyOf', 'allOf'])
    for (const one of (said[choice] as unknown[] | undefined) ?? []) yield* anythings(one, path)
  yield* anythings(said['items'], `${path}.[]`)
  yield* anythings(said['additionalProperties'], `${path}.*`)
}

/** Every schema of a body, an answer or a parameter, with the name of its operation. */
function* ofOperations(): Generator<[name: string, schema: unknown]> {
  for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path as Json) as Json[])) {
    const name = String(operation['operationId'])
    for (const parameter of (operation['parameters'] as { name: string; schema: unknown }[] | undefined) ?? [])
      yield [`${name}?${parameter.name}`, parameter.schema]
    const answers = Object.values(operation['responses'] as Json)
    for (const { content } of [operation['requestBody'], ...answers].filter(Boolean) as { content?: Json }[])
      for (const media of Object.values(content ?? {})) yield [name, (media as Json)['schema']]
  }
}

test('no schema of the document takes any value, but for those with a reason', () => {
  const named = [...Object.entries(document.components.schemas), ...ofOperations()]
  expect(named.length).toBeGreaterThan(500)
  const found = [...new Set(named.flatMap(([name, schema]) => [...anythings(schema, name)]))]
  expect(found.filter((place) => !reasons.some(([known]) => known.test(place)))).toEqual([])
  expect(reasons.filter(([known]) => !found.some((place) => known.test(place)))).toEqual([])
})
