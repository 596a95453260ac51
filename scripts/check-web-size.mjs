// What a browser must load before the first page shows: at most 200 kB gzip, script and style together.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const dist = fileURLToPath(new URL('../packages/web/dist', import.meta.url))
const limit = 200_000
const page = readFileSync(join(dist, 'index.html'), 'utf8')
const files = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)].map((match) => match[1])
const total = files.reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file))).length, gzipSync(page).length)
console.log(`first load: ${(total / 1000).toFixed(1)} kB gzip in ${files.length + 1} files, limit ${limit / 1000} kB`)
if (files.length === 0 || total > limit) process.exit(1)
