/** How the API reference reads bodies of the document, for the server's tests: it must take the examples of them. */
export { exampleOf } from '../src/components/reference/try/example-of.ts'
export { settled, variantsOf } from '../src/components/reference/document/json-schema.ts'
export { operationsOf, type Operation } from '../src/components/reference/document/operations.ts'
export type { OpenApiDocument } from '../src/components/reference/document/openapi-document.ts'
