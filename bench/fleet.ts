import type { Product } from '../e2e/product.ts'

/** Creates many checks. Returns their ids in order. */
export async function createFleet(product: Product, definitions: readonly object[]): Promise<string[]> {
  const ids: string[] = []
  for (let at = 0; at < definitions.length; at += 8) {
    const made = await Promise.all(definitions.slice(at, at + 8).map((definition) => create(product, definition)))
    ids.push(...made)
  }
  return ids
}

async function create(product: Product, definition: object): Promise<string> {
  const answer = await product.api<{ id: string; message?: string }>('POST', '/v1/checks/api', definition)
  if (answer.status !== 201) throw new Error(`A check could not be made: ${answer.body.message}`)
  return answer.body.id
}

/** A counter of the server's metrics, summed over labels. */
export async function counter(product: Product, name: string): Promise<number> {
  const text = await (await fetch(`${product.url}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}
