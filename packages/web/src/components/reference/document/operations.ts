import { jsonOf, type Answer, type OpenApiDocument, type Parameter } from './openapi-document.ts'
import type { Schema } from './json-schema.ts'

/** A call of the API. `id` is its name in addresses. */
export interface Operation {
  id: string
  method: string
  path: string
  tag: string
  summary: string
  description: string | undefined
  parameters: readonly Parameter[]
  body: Schema | undefined
  answers: readonly (Answer & { status: string })[]
  /** Anybody may call it, without a key. */
  isPublic: boolean
}

/** Operations of one resource. */
export interface Resource {
  name: string
  description: string | undefined
  operations: Operation[]
}

const order = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Every operation of a document, reading before writing, within a resource by path. */
export function operationsOf(document: OpenApiDocument): Operation[] {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      id: described.operationId,
      method: method.toUpperCase(),
      path,
      tag: described.tags?.[0] ?? 'Others',
      summary: described.summary ?? path,
      description: described.description,
      parameters: described.parameters ?? [],
      body: described.requestBody && jsonOf(described.requestBody),
      answers: Object.entries(described.responses).map(([status, answer]) => ({ status, ...answer })),
      isPublic: described.security?.length === 0,
    })),
  )
  return all.toSorted((a, b) => a.path.localeCompare(b.path) || order.indexOf(a.method) - order.indexOf(b.method))
}

/** The operations by resource, in the order of the document; resources that it does not list come last. */
export function resourcesOf(document: OpenApiDocument): Resource[] {
  const operations = operationsOf(document)
  const listed = document.tags ?? []
  const names = new Set([...listed.map(({ name }) => name), ...operations.map(({ tag }) => tag)])
  return [...names].map((name) => ({
    name,
    description: listed.find((tag) => tag.name === name)?.description,
    operations: operations.filter(({ tag }) => tag === name),
  }))
}

/** Operations of which method, path and summary together contain every word. Resources without one are left out. */
export function matching(resources: readonly Resource[], search: string): Resource[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const isWanted = ({ method, path, summary }: Operation) => {
    const text = `${method} ${path} ${summary}`.toLowerCase()
    return words.every((word) => text.includes(word))
  }
  return resources
    .map((resource) => ({ ...resource, operations: resource.operations.filter(isWanted) }))
    .filter(({ operations }) => operations.length > 0)
}
