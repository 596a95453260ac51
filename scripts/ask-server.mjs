// Asks a running server as an administrator, for the commands of the command line.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Options of `parseArgs` that say which server, and with which key. */
export const serverOptions = { url: { type: 'string' }, key: { type: 'string' } }

/** Without a key: VEDETTE_API_KEY, then the key that the first start wrote to the data directory. */
export function askServer(program, values) {
  const url = (values.url ?? `http://127.0.0.1:${process.env.VEDETTE_PORT ?? 8080}`).replace(/\/$/, '')
  const key = values.key ?? process.env.VEDETTE_API_KEY ?? firstKey()

  function fail(text) {
    console.error(`${program}: ${text}`)
    process.exit(1)
  }

  function firstKey() {
    const file = join(process.env.VEDETTE_DATA_DIR ?? './data', 'first-api-key')
    try {
      return readFileSync(file, 'utf8').trim()
    } catch (error) {
      fail(`There is no key: pass --key, set VEDETTE_API_KEY, or let ${file} be readable (${error.code}).`)
    }
  }

  /** `isExpected` tells an answer of Vedette from that of another program; `thing` names what is expected. */
  async function call(method, path, { body, isExpected, thing }) {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const answer = await fetch(`${url}${path}`, { method, headers, ...sent }).catch((error) =>
      fail(`${url} does not answer (${error.cause?.code ?? error.message}); pass --url or start Vedette.`),
    )
    const what = `${method} ${url}${path} answered ${answer.status}`
    const text = await answer.text().catch(() => fail(`${url} broke off its answer; try again, and see its log.`))
    const value = parsed(text) ?? fail(`${what} ${shapeOf(answer, text)}; pass the address of Vedette with --url.`)
    if (!answer.ok) fail(`${what}: ${value.message}`)
    if (!isExpected(value)) fail(`${what} with something else than ${thing}; pass the address of Vedette with --url.`)
    return value
  }

  return { call, fail }
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    // The caller says what came instead.
    return undefined
  }
}

function shapeOf(answer, text) {
  if (text === '') return 'without a body'
  const type = answer.headers.get('content-type')?.split(';')[0] ?? 'something else'
  return `with ${type} instead of JSON`
}
