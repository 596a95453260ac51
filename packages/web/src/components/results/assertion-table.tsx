import { readableName } from '@vedette/checks'
import type { AssertionOutcome } from '@vedette/wire'
import { StateIcon } from '../checks/state-mark.tsx'

/** Expected and actual values side by side, failed assertions first. */
export function AssertionTable({ assertions }: { assertions: readonly AssertionOutcome[] }) {
  if (assertions.length === 0) return <p className="text-ink-soft">This check has no assertions.</p>
  const ordered = assertions.toSorted((a, b) => Number(a.passed) - Number(b.passed) || a.order - b.order)
  return (
    <ul className="divide-y divide-line">
      {ordered.map((assertion) => (
        <li key={assertion.order} className="grid gap-x-4 gap-y-1 py-2 md:grid-cols-[6rem_1fr_1fr]">
          <span className={`flex items-center gap-2 self-start font-semibold ${assertion.passed ? '' : 'text-fail'}`}>
            <StateIcon state={assertion.passed ? 'passing' : 'failing'} />
            {assertion.passed ? 'Holds' : 'Fails'}
          </span>
          <span className="min-w-0 break-words">
            <span className="text-ink-soft">Expected </span>
            {readableName(assertion.source)}{' '}
            {assertion.property && <code className="font-mono text-sm">{assertion.property}</code>}{' '}
            {readableName(assertion.comparison)}{' '}
            {assertion.target && <code className="font-mono text-sm">{assertion.target}</code>}
          </span>
          <span className="min-w-0 break-words">
            <span className="text-ink-soft">Actual </span>
            <code className={`font-mono text-sm ${assertion.passed ? '' : 'font-semibold text-fail'}`}>
              {actualText(assertion)}
            </code>
            {/* Without a value, only the message tells why there was none. */}
            {!assertion.passed && assertion.actual === null && assertion.message && (
              <span className="block text-ink-soft">{assertion.message}</span>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}

const actualText = ({ actual }: AssertionOutcome) =>
  actual === null ? 'nothing' : actual === '' ? 'an empty text' : actual
