import { Badge } from '../../../ui/badge.tsx'
import { BodyView } from '../../results/body-view.tsx'
import { KeyValueTable } from '../../results/key-value-table.tsx'
import { SignInLink } from '../sign-in-link.tsx'
import type { Tried } from './tried-call.ts'

/** What came back: status, time, headers, body. */
export function TriedAnswer({ tried }: { tried: Tried }) {
  const { status, statusText, ms, headers, text } = tried
  return (
    <section aria-label="Answer of the server" className="flex flex-col gap-3 border-t border-line pt-3">
      <p role="status" className="flex flex-wrap items-center gap-2">
        <Badge tone={status < 400 ? 'pass' : 'fail'}>{`${status} ${statusText}`.trim()}</Badge>
        <span className="text-ink-soft">after {Math.round(ms)} ms</span>
      </p>
      {status === 401 && (
        <p>
          The server knows no session of this browser. <SignInLink /> and send it again.
        </p>
      )}
      <KeyValueTable values={headers} nothing="No headers of note." />
      <BodyView text={text} truncated={false} nothing="The answer has no body." source={undefined} />
    </section>
  )
}
