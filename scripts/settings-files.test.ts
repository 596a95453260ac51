import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readConfig } from '../packages/server/src/config.ts'
import { settings, toolVariables, type Setting } from '../packages/wire/src/configuration/index.ts'
import { environmentFile, settingsFiles, withTable } from './settings-files.ts'

const root = new URL('..', import.meta.url)
const example = readFileSync(new URL('.env.example', root), 'utf8')

/** The variables that a shell sets from the lines that are not commented out. */
const exported = (text: string) => Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map((line) => line.slice(1)))

test.each(settingsFiles(root))(
  '$path is what the statements of the settings make of it; if not, npm run generate',
  (file) => {
    expect(readFileSync(new URL(file.path, root), 'utf8')).toBe(file.text)
  },
)

test('the example file as it comes changes nothing', () => {
  expect(Object.keys(exported(example))).toContain('VEDETTE_PORT')
  expect(readConfig(exported(example))).toEqual(readConfig({}))
})

test('every setting stands once in the example file, with a value or ready to be given one', () => {
  for (const { name } of Object.values<Setting>(settings)) {
    expect(example.match(new RegExp(`^#?${name}=`, 'gm')), name).toHaveLength(1)
  }
})

test('every variable with the prefix of settings that a tool of this repository reads is let through at a start', () => {
  const files = execFileSync('git', ['ls-files', '--', '*.ts', '*.mjs'], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')
  const read = files.flatMap((file) =>
    [...readFileSync(new URL(file, root), 'utf8').matchAll(/process\.env(?:\.|\[')(VEDETTE_\w+)/g)].map(
      ([, name = '']) => name,
    ),
  )
  const names = Object.values<Setting>(settings).map(({ name }) => name)
  expect(new Set(read.filter((name) => !names.includes(name)))).toEqual(toolVariables)
})

test('a setting shows its default, its example, its file and whether it is required', () => {
  const one: Setting = {
    name: 'ONE',
    readBy: ['agent'],
    group: 'First',
    secret: true,
    parse: (text) => text,
    expected: 'a text',
    required: 'a text',
    example: 'like-this',
    description: 'Opens `doors`.',
  }
  const two: Setting = { ...one, name: 'TWO', readBy: ['server'], secret: undefined, required: undefined, default: '2' }
  expect(environmentFile([one, two])).toContain(
    '# --- First ---\n\n# Opens doors. Required. (or ONE_FILE)\n#ONE=like-this\n\n# Opens doors.\nTWO=2\n',
  )
})

test('a table replaces the one between its markers, and a file without markers is named', () => {
  const text = 'before\n<!-- generated: settings of the agent -->\nformer rows\n<!-- end of generated -->\nafter\n'
  const changed = withTable(text, 'agent', 'a.md')
  expect(changed).toMatch(/^before\n<!-- generated: settings of the agent -->\n\| setting \| default \| meaning \|/)
  expect(changed).toContain('| `API_KEY` *secret* | none, required | Key of its location. |')
  expect(changed).toMatch(/<!-- end of generated -->\nafter\n$/)
  expect(changed).not.toContain('former rows')
  expect(() => withTable('nothing', 'agent', 'a.md')).toThrow('a.md has no "<!-- generated: settings of the agent -->"')
})
