import { openEmbedded } from '../src/db/embedded/open-embedded.ts'

// Writes rows until it is killed, and prints the number of each row once the database has acknowledged it.
const [dataDir = ''] = process.argv.slice(2)
const db = await openEmbedded(dataDir)
await db.pool.query('CREATE TABLE IF NOT EXISTS written (n int PRIMARY KEY, filler text)')
const { rows } = await db.pool.query<{ next: number }>('SELECT coalesce(max(n) + 1, 0) AS next FROM written')
for (let n = rows[0]?.next ?? 0; ; n += 1) {
  await db.transaction((client) => client.query('INSERT INTO written VALUES ($1, $2)', [n, 'x'.repeat(500)]))
  process.stdout.write(`${n}\n`)
}
