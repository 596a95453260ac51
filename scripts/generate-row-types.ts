import { writeFile } from 'node:fs/promises'
import { migrate } from '../packages/server/src/db/migrate.ts'
import { openEmptyDatabase } from '../packages/server/test-support/database.ts'
import { generateRowTypes } from '../packages/server/test-support/row-types.ts'

// Writes the row types of the tables as the migrations leave them.
const db = await openEmptyDatabase()
try {
  await migrate(db)
  await writeFile(new URL('../packages/server/src/db/rows.ts', import.meta.url), await generateRowTypes(db.pool))
} finally {
  await db.close()
}
