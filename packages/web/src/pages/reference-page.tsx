import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, type MouseEvent } from 'react'
import { useSession } from '../app/session.ts'
import { call } from '../api/client.ts'
import { Introduction } from '../components/reference/introduction.tsx'
import type { OpenApiDocument } from '../components/reference/document/openapi-document.ts'
import { OperationNav } from '../components/reference/operation-nav.tsx'
import { OperationView } from '../components/reference/operation-view.tsx'
import { resourcesOf, type Operation } from '../components/reference/document/operations.ts'
import { SignInLink } from '../components/reference/sign-in-link.tsx'
import { Fault } from '../ui/panel.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

/** What this server says of its API; open to all. */
const documentQuery = {
  queryKey: ['openapi'],
  queryFn: () => call<OpenApiDocument>('GET', '/openapi.json'),
  staleTime: Infinity,
} as const

/** The API reference: everything in it is from the document of this server. An operation is named after `#`. */
export function ReferencePage() {
  const document = useQuery(documentQuery)
  return (
    <>
      <a
        href="#main"
        onClick={skipToContent}
        className="sr-only focus:not-sr-only focus:absolute focus:z-30 focus:bg-surface focus:p-3"
      >
        Skip to content
      </a>
      <TopLine />
      {document.isPending && <Skeleton label="Reading the API's document" lines={6} className="m-6 max-w-2xl" />}
      {document.isError && (
        <main className="p-6">
          <Fault text={document.error.message} onRetry={() => void document.refetch()} />
        </main>
      )}
      {document.data && <Reference document={document.data} />}
    </>
  )
}

/** Without a change of the address, which names the operation. */
function skipToContent(event: MouseEvent) {
  event.preventDefault()
  window.document.getElementById('main')?.focus()
}

function Reference({ document }: { document: OpenApiDocument }) {
  const resources = useMemo(() => resourcesOf(document), [document])
  const hash = useLocation({ select: (place) => place.hash })
  // Addresses of the page that was here before named the resource as well: `#/Checks/listChecks`.
  const id = hash.split('/').at(-1) ?? ''
  const operation = resources.flatMap(({ operations }) => operations).find((each) => each.id === id)
  useArrival(operation, id)
  const navigate = useNavigate()
  useEffect(() => {
    if (hash !== id) void navigate({ to: '/docs', hash: id, replace: true })
  }, [hash, id, navigate])
  return (
    <div className="md:flex md:items-start">
      <OperationNav resources={resources} shown={operation?.id} />
      <main id="main" tabIndex={-1} className="min-w-0 flex-1 p-4 pb-12 outline-none md:px-6">
        {operation ? (
          <OperationView key={operation.id} operation={operation} schemas={document.components.schemas} />
        ) : (
          <>
            {id !== '' && <p className="mb-3 text-fail">There is no operation “{id}”.</p>}
            <Introduction document={document} resources={resources} />
          </>
        )}
      </main>
    </div>
  )
}

/** Names the tab, and begins a newly opened operation at its top, where its link may be gone that had the focus. */
function useArrival(operation: Operation | undefined, id: string) {
  const shown = useRef(id)
  const name = operation === undefined ? '' : `${operation.method} ${operation.path} · `
  useEffect(() => {
    window.document.title = `${name}API reference · Vedette`
  }, [name])
  useEffect(() => {
    if (id === shown.current) return
    shown.current = id
    window.scrollTo(0, 0)
    if (window.document.activeElement === window.document.body) window.document.getElementById('main')?.focus()
  }, [id])
}

function TopLine() {
  const session = useSession()
  return (
    <header className="flex min-h-13 items-center gap-4 border-b border-line bg-surface px-4 py-1">
      <Link to="/" className="flex min-h-control items-center gap-2.5 text-lg font-semibold tracking-tight">
        <img src="/favicon.svg" alt="" className="size-6 shrink-0" />
        Vedette
      </Link>
      <Link to="/docs" className="flex min-h-control items-center whitespace-nowrap text-ink-soft hover:text-ink">
        API reference
      </Link>
      {session.data && (
        <p className="ml-auto min-w-0 truncate text-sm text-ink-soft max-md:hidden">
          Signed in as {session.data.email}
        </p>
      )}
      {session.data === null && (
        <p className="ml-auto text-sm">
          <SignInLink />
        </p>
      )}
    </header>
  )
}
