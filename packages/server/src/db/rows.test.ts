import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { useDatabase } from '../../test-support/database.ts'
import { generateRowTypes, valueTypes } from '../../test-support/row-types.ts'

const database = useDatabase()

test('the row types are those of the migrated database', async () => {
  const committed = await readFile(new URL('./rows.ts', import.meta.url), 'utf8')
  const current = await generateRowTypes(database.db.pool)
  expect(committed, 'rows.ts is not that of the migrations: run `npm run generate` and commit it.').toBe(current)
})

const samples: Record<string, { text: string; arrives: unknown }> = {
  boolean: { text: 'true', arrives: true },
  Buffer: { text: String.raw`\x01ff`, arrives: Buffer.from([1, 255]) },
  number: { text: '7', arrives: 7 },
  unknown: { text: '{"a":[1]}', arrives: { a: [1] } },
  string: { text: '11111111-2222-4333-8444-555555555555', arrives: '11111111-2222-4333-8444-555555555555' },
  'string[]': { text: '{a,b}', arrives: ['a', 'b'] },
  Date: { text: '2026-01-02T03:04:05.678Z', arrives: new Date('2026-01-02T03:04:05.678Z') },
}

test.each(Object.entries(valueTypes))('a column of type %s arrives as %s', async (type, value) => {
  const sample = samples[value]
  const { rows } = await database.db.pool.query<{ value: unknown }>(`SELECT $1::text::${type} AS value`, [sample?.text])
  expect(rows).toEqual([{ value: sample?.arrives }])
})

test('a column of a type that nothing is known of is named', async () => {
  const work = database.db.transaction(async (client) => {
    await client.query('CREATE TABLE odd_cats (id uuid PRIMARY KEY, place point)')
    await generateRowTypes(client)
  })
  await expect(work).rejects.toThrow('odd_cats.place has the type point')
})

test('a partitioned table has one type, and its partitions have none', async () => {
  const text = await generateRowTypes(database.db.pool)
  expect(text.match(/interface CheckResults\w*/g)).toEqual(['interface CheckResultsRow'])
})
