// Files of configuration for a running server.
// Usage: npm run apply -- DIR [--dry-run] [--delete] [--url http://127.0.0.1:8080]
//        npm run export -- DIR [--url http://127.0.0.1:8080]
// The API key is read from VEDETTE_API_KEY. References { $env: NAME } in the files take their values from the environment.
// Exit codes: 0 done, 1 the server cannot be reached or refuses the caller, 2 the files have problems.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parse, stringify } from 'yaml'

const [command, ...args] = process.argv.slice(2)
const { values, positionals } = parsedArgs()
const [folder] = positionals
const key = process.env.VEDETTE_API_KEY ?? fail('Set VEDETTE_API_KEY to an API key with the role write.')
const url = (values.url ?? `http://127.0.0.1:${process.env.VEDETTE_PORT ?? 8080}`).replace(/\/$/, '')
if (folder === undefined || positionals.length > 1) fail(`Name one folder: npm run ${command} -- DIR`)

if (command === 'apply') await apply()
else if (command === 'export') await writeFiles()
else fail(`There is no command ${command}; apply and export are.`)

function parsedArgs() {
  const options = { url: { type: 'string' }, 'dry-run': { type: 'boolean' }, delete: { type: 'boolean' } }
  try {
    return parseArgs({ args, allowPositionals: true, options })
  } catch (error) {
    fail(error.message)
  }
}

async function apply() {
  const document = readFiles()
  const secrets = Object.fromEntries(referencesIn(document).flatMap((name) => valueOf(name)))
  const query = new URLSearchParams({ dryRun: values['dry-run'] === true, delete: values.delete === true })
  const { plan, applied } = await call('POST', `/v1/import?${query}`, { ...document, secrets })
  if (!Array.isArray(plan))
    fail(`${url} answered with something else than a plan; pass the address of Vedette with --url.`)
  for (const planned of plan) print(planned)
  const count = (action) => plan.filter((one) => one.action === action).length
  const done = applied ? ['created', 'changed', 'deleted'] : ['to create', 'to change', 'to delete']
  const counts = ['create', 'change', 'delete'].map((action, nr) => `${count(action)} ${done[nr]}`)
  console.log(`${[...counts, `${count('unchanged')} unchanged`].join(', ')}.`)
}

/** All files of the folder as one document. A list of one kind may be spread over many files. */
function readFiles() {
  const document = {}
  const names = listFolder()
    .filter((name) => /\.(ya?ml|json)$/.test(name))
    .toSorted()
  if (names.length === 0) problem(`${folder} has no file that ends in .yaml, .yml or .json.`)
  for (const name of names) {
    const part = parsedFile(join(folder, name))
    for (const [section, content] of Object.entries(part)) {
      if (!Object.hasOwn(document, section)) document[section] = content
      else if (Array.isArray(document[section]) && Array.isArray(content)) document[section].push(...content)
      else problem(`${name}: "${section}" stands in another file already.`)
    }
  }
  if (Object.hasOwn(document, 'secrets'))
    problem('Secrets do not belong in files: write { $env: NAME } and set NAME in the environment.')
  return document
}

function listFolder() {
  try {
    return readdirSync(folder)
  } catch (error) {
    problem(`${folder} cannot be read (${error.code}).`)
  }
}

function parsedFile(path) {
  try {
    const text = readFileSync(path, 'utf8')
    const part = (path.endsWith('.json') ? JSON.parse(text) : parse(text, { schema: 'core' })) ?? {}
    if (typeof part === 'object' && !Array.isArray(part)) return part
  } catch (error) {
    problem(`${path}: ${error.message.split('\n')[0]}`)
  }
  problem(`${path}: must hold sections such as "checks:".`)
}

function referencesIn(value) {
  if (typeof value !== 'object' || value === null) return []
  if (typeof value.$env === 'string') return [value.$env]
  return [...new Set(Object.values(value).flatMap(referencesIn))]
}

function valueOf(name) {
  return process.env[name] === undefined ? [] : [[name, process.env[name]]]
}

function print({ kind, name, action, changes }) {
  const sign = { create: '+', change: '~', delete: '-' }[action]
  if (sign === undefined) return
  console.log(`${sign} ${kind} "${name}"`)
  for (const { path, before, after } of changes) console.log(`    ${path}: ${shown(before)} -> ${shown(after)}`)
}

function shown(value) {
  const text = value === null ? '(left out)' : JSON.stringify(value)
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

async function writeFiles() {
  const document = await call('GET', '/v1/export')
  mkdirSync(folder, { recursive: true })
  const fileOf = (section) => `${section.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.yaml`
  const sections = Object.entries(document)
  const taken = sections.map(([section]) => fileOf(section)).find((name) => existsSync(join(folder, name)))
  if (taken !== undefined) problem(`${join(folder, taken)} is there already; name an empty folder.`)
  for (const [section, content] of sections) {
    const text = stringify({ [section]: content }, { aliasDuplicateObjects: false, lineWidth: 0 })
    writeFileSync(join(folder, fileOf(section)), text)
    console.log(`${join(folder, fileOf(section))}`)
  }
}

async function call(method, path, body) {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${String(key)}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  }).catch((error) =>
    fail(`${url} does not answer (${error.cause?.code ?? error.message}); pass --url or start Vedette.`),
  )
  const text = await answer.text().catch(() => fail(`${url} broke off its answer; try again.`))
  const parsed =
    parsedAnswer(text) ?? fail(`${url} answered ${answer.status} without JSON; pass the address of Vedette with --url.`)
  if (answer.status === 400 || answer.status === 409 || answer.status === 413) problem(parsed.message)
  if (!answer.ok) fail(`${method} ${url}${path} answered ${answer.status}: ${parsed.message}`)
  return parsed
}

function parsedAnswer(text) {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function problem(text) {
  console.error(text)
  process.exit(2)
}

function fail(text) {
  console.error(text)
  process.exit(1)
}
