/** The bodies that the API reference suggests, for the server's tests: it must take them. */
export { exampleOf } from '../src/components/reference/try/example-of.ts'
export { variantsOf } from '../src/components/reference/document/json-schema.ts'
export { operationsOf } from '../src/components/reference/document/operations.ts'
export type { OpenApiDocument } from '../src/components/reference/document/openapi-document.ts'
