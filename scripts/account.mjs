// Creates, lists, suspends and resumes accounts of a running server.
// Usage: npm run account -- list
//        npm run account -- create --name <name> --owner <e-mail address>
//        npm run account -- suspend <id> [--because <reason>]
//        npm run account -- resume <id>
// All take --url and --key. Without --key: VEDETTE_API_KEY, then the key that the first start wrote to the data directory.
// The key is that of an administrator of the account that operates the installation.
import { parseArgs } from 'node:util'
import { askServer, serverOptions } from './ask-server.mjs'

const path = '/v1/installation/accounts'
const usage =
  'Say list, create --name <name> --owner <e-mail address>, suspend <id> [--because <reason>], or resume <id>.'
const options = {
  ...serverOptions,
  name: { type: 'string' },
  owner: { type: 'string' },
  because: { type: 'string' },
}
const { values, positionals } = parseArgs({ options, allowPositionals: true })
const [command, id] = positionals
const { call, fail } = askServer('account', values)
const anAccount = { isExpected: (value) => typeof value.id === 'string', thing: 'an account' }

const commands = { list, create, suspend, resume }
await (Object.hasOwn(commands, command ?? '') ? commands[command]() : fail(usage))

async function list() {
  const limit = 100
  for (let page = 1; ; page++) {
    const accounts = await call('GET', `${path}?limit=${limit}&page=${page}`, {
      isExpected: Array.isArray,
      thing: 'a list of accounts',
    })
    for (const account of accounts) console.log(line(account))
    if (accounts.length < limit) return
  }
}

async function create() {
  if (values.name === undefined || values.owner === undefined) fail(usage)
  const account = await call('POST', path, { ...anAccount, body: { name: values.name, ownerEmail: values.owner } })
  console.log(line(account))
  console.log(`${account.invite.email} owns it after opening this link, which works once:\n${account.invite.link}`)
}

async function suspend() {
  const body = values.because === undefined ? {} : { because: values.because }
  console.log(line(await change('suspend', body)))
}

async function resume() {
  console.log(line(await change('resume')))
}

function change(what, body) {
  if (id === undefined) fail(usage)
  return call('POST', `${path}/${encodeURIComponent(id)}/${what}`, { ...anAccount, body })
}

function line({ id: accountId, name, members, checks, suspendedAt, suspendedBecause }) {
  const because = suspendedBecause ? `: ${suspendedBecause}` : ''
  const state = suspendedAt === null ? 'in use' : `suspended since ${suspendedAt}${because}`
  return `${accountId}  ${name}  (members ${members}, checks ${checks}, ${state})`
}
