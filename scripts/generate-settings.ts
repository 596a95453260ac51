import { writeFileSync } from 'node:fs'
import { settingsFiles } from './settings-files.ts'

// Writes the files that list the settings for people.
const root = new URL('..', import.meta.url)
for (const { path, text } of settingsFiles(root)) {
  writeFileSync(new URL(path, root), text)
  console.log(`${path} is current`)
}
