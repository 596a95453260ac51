import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const documents = execFileSync('git', ['ls-files', '--', '*.md'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
const link = /\]\((?!https?:|mailto:|#)([^)#\s]+)(#[^)]*)?\)/g

test.each(documents)('every file that %s links to is there', (document) => {
  const links = [...readFileSync(join(root, document), 'utf8').matchAll(link)].map(([, path = '']) => path)
  expect(links.filter((path) => !existsSync(join(root, dirname(document), path)))).toEqual([])
})
