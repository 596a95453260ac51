import type { Product } from '../e2e/product.ts'

const atOnce = 8
/** Fewer than a key may make in a minute. */
const callsPerKey = 500

/** Creates many checks of one type. Returns their ids in order. */
export const createFleet = (product: Product, definitions: readonly object[], type = 'api'): Promise<string[]> =>
  withKeys(product, definitions, callsPerKey, async (definition, key) => {
    const path = `/v1/checks/${type}`
    const answer = await product.api<{ id: string; message?: string }>('POST', path, definition, key)
    if (answer.status !== 201) throw new Error(`A check could not be made: ${answer.body.message}`)
    return answer.body.id
  })

/** Lets checks run or not. */
export async function setActivated(product: Product, ids: readonly string[], activated: boolean): Promise<void> {
  await withKeys(product, ids, callsPerKey, async (id, key) => {
    const answer = await product.api<{ message?: string }>('PUT', `/v1/checks/api/${id}`, { activated }, key)
    if (answer.status !== 200) throw new Error(`Check ${id} could not be changed: ${answer.body.message}`)
  })
}

/** Lists that a key may read in a short time. */
const listsPerKey = 5

/** Reads lists of results. */
export const readLists = <T>(product: Product, paths: readonly string[]): Promise<T[]> =>
  withKeys(product, paths, listsPerKey, async (path, key) => {
    const answer = await product.api<T & { message?: string }>('GET', path, undefined, key)
    if (answer.status !== 200) throw new Error(`${path} could not be read: ${answer.body.message}`)
    return answer.body
  })

/** The header of keys that may together make so many calls, in turn. */
export async function keysFor(product: Product, calls: number): Promise<() => Record<string, string>> {
  const keys: string[] = []
  while (keys.length * callsPerKey < calls) keys.push(await newKey(product))
  let used = 0
  return () => ({ authorization: `Bearer ${keys[Math.floor(used++ / callsPerKey)] ?? ''}` })
}

/** Does one call for each item, several at once, and with as many keys as their limits need. */
async function withKeys<T, R>(
  product: Product,
  items: readonly T[],
  callsPerKey: number,
  call: (item: T, key: string) => Promise<R>,
): Promise<R[]> {
  const answers: R[] = []
  for (let from = 0; from < items.length; from += callsPerKey) {
    const key = await newKey(product)
    const ofKey = items.slice(from, from + callsPerKey)
    for (let at = 0; at < ofKey.length; at += atOnce)
      answers.push(...(await Promise.all(ofKey.slice(at, at + atOnce).map((item) => call(item, key)))))
  }
  return answers
}

async function newKey(product: Product): Promise<string> {
  const wanted = { name: 'Bench', role: 'admin' }
  const answer = await product.api<{ rawKey: string; message?: string }>('POST', '/v1/api-keys', wanted)
  if (answer.status !== 201) throw new Error(`An API key could not be made: ${answer.body.message}`)
  return answer.body.rawKey
}

/** A metric of the server, summed over labels. */
export async function metric(product: Pick<Product, 'url'>, name: string): Promise<number> {
  const text = await (await fetch(`${product.url}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}
