import { Panel } from '../../ui/panel.tsx'
import { CodeBlock } from './code-block.tsx'
import type { OpenApiDocument } from './document/openapi-document.ts'
import { OperationLink } from './operation-link.tsx'
import type { Resource } from './document/operations.ts'

const keyExample = 'Authorization: Bearer YOUR_API_KEY'

/** What stands before an operation is chosen: what the API is, how to call it, and every operation. */
export function Introduction({ document, resources }: { document: OpenApiDocument; resources: readonly Resource[] }) {
  const { title, version, description } = document.info
  return (
    <div className="flex flex-col gap-4">
      <div>
        <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
        <p className="mt-1 text-ink-soft">
          {description} Version {version}, described by{' '}
          <a href="/openapi.json" className="text-accent underline">
            /openapi.json
          </a>
          .
        </p>
      </div>
      <Authentication document={document} />
      <div className="gap-4 xl:columns-2">
        {resources.map((resource) => (
          <div key={resource.name} className="mb-4 break-inside-avoid">
            <ResourcePanel resource={resource} />
          </div>
        ))}
      </div>
    </div>
  )
}

function ResourcePanel({ resource: { name, description, operations } }: { resource: Resource }) {
  return (
    <Panel title={name}>
      {description !== undefined && <p className="mb-2 text-ink-soft">{description}</p>}
      <ul className="-mx-2">
        {operations.map((operation) => (
          <li key={operation.id}>
            <OperationLink operation={operation} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Authentication({ document }: { document: OpenApiDocument }) {
  const schemes = Object.values(document.components.securitySchemes ?? {})
  return (
    <Panel title="Authentication">
      <div className="flex flex-col gap-2">
        {schemes.map(({ scheme, description }) => (
          <p key={scheme}>{description} Programs send it with every call:</p>
        ))}
        <CodeBlock label="Header with an API key" text={keyExample} />
        <p>
          A key has a role, which says what it may do. Administrators make keys under{' '}
          <a href="/settings" className="text-accent underline">
            Settings
          </a>
          . Calls that you try on these pages are sent in the session of this browser and need no key.
        </p>
      </div>
    </Panel>
  )
}
