import { readFileSync } from 'node:fs'
import {
  defaultOf,
  settings,
  settingsOf,
  type Program,
  type Setting,
} from '../packages/wire/src/configuration/index.ts'

/** A committed file whose settings come from `packages/wire/src/configuration`. */
export interface SettingsFile {
  path: string
  /** The text the file should have. */
  text: string
}

const tables: Readonly<Record<string, readonly Program[]>> = {
  'docs/manual/settings.md': ['server', 'agent'],
  'packages/agent/README.md': ['agent'],
}

const introduction = `# Settings of Vedette. Every one of the server is optional. This file is made by "npm run generate" from
# packages/wire/src/configuration. Export the settings, or load this file with "set -a; . ./.env; set +a; npm start".
# A secret can be given as a file instead: NAME_FILE=/run/secrets/name
`

/**
 * The files that list the settings for people, made from their statements and the hand-written text around the tables.
 */
export const settingsFiles = (root: URL): SettingsFile[] => [
  { path: '.env.example', text: environmentFile(Object.values<Setting>(settings)) },
  ...Object.entries(tables).map(([path, programs]) => {
    const text = readFileSync(new URL(path, root), 'utf8')
    return { path, text: programs.reduce((sum, program) => withTable(sum, program, path), text) }
  }),
]

/** Puts the table of a program between its markers. */
export function withTable(text: string, program: Program, path: string): string {
  const [start, end] = [`<!-- generated: settings of the ${program} -->`, '<!-- end of generated -->']
  const from = text.indexOf(start)
  const to = text.indexOf(end, from)
  if (from < 0 || to < 0) throw new Error(`${path} has no "${start}" that a later "${end}" ends`)
  return `${text.slice(0, from)}${start}\n${tableOf(program)}${text.slice(to)}`
}

function tableOf(program: Program): string {
  const rows = settingsOf(program).map(([, setting]) => {
    const name = `\`${setting.name}\`${setting.secret ? ' *secret*' : ''}`
    return `| ${name} | ${valueInTable(setting, program)} | ${setting.description} |\n`
  })
  return `| setting | default | meaning |\n|---|---|---|\n${rows.join('')}`
}

function valueInTable(setting: Setting, program: Program): string {
  const text = defaultOf(setting, program)
  if (text !== undefined) return `\`${text}\``
  return setting.required === undefined ? (setting.otherwise ?? 'none') : 'none, required'
}

/** Settings of the server with a default have its value; all others are commented out. */
export function environmentFile(all: readonly Setting[]): string {
  const texts = [...new Set(all.map(({ group }) => group))].map((title) => {
    const members = all.filter(({ group }) => group === title)
    return `# --- ${title} ---\n\n${members.map(entryOf).join('\n')}`
  })
  return [introduction, ...texts].join('\n')
}

function entryOf(setting: Setting): string {
  const text = setting.readBy.includes('server') ? defaultOf(setting, 'server') : undefined
  const line =
    text === undefined
      ? `#${setting.name}=${defaultOf(setting, 'agent') ?? setting.example ?? ''}`
      : `${setting.name}=${text}`
  return `${commentOf(setting)}\n${line}\n`
}

function commentOf(setting: Setting): string {
  const { description, name, secret, required, otherwise, default: byProgram } = setting
  const sentences = [
    description,
    ...(required === undefined ? [] : ['Required.']),
    ...(otherwise === undefined || otherwise === 'none' ? [] : [`Default: ${otherwise}.`]),
    ...(typeof byProgram === 'object' ? [`Default of an agent: ${byProgram.agent}.`] : []),
    ...(secret ? [`(or ${name}_FILE)`] : []),
  ]
  return wrapped(sentences.join(' ').replaceAll('`', ''))
}

/** Comment lines of at most 120 characters. */
function wrapped(text: string): string {
  const lines = ['#']
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`
    if (longer.length <= 120) lines[lines.length - 1] = longer
    else lines.push(`# ${word}`)
  }
  return lines.join('\n')
}
