/** Names and values, such as headers, as a table. */
export function KeyValueTable({ values, nothing }: { values: Record<string, unknown>; nothing: string }) {
  const entries = Object.entries(values)
  if (entries.length === 0) return <p className="text-ink-soft">{nothing}</p>
  return (
    <table className="w-full table-fixed text-sm">
      <tbody>
        {entries.map(([name, value]) => (
          <tr key={name} className="align-top">
            <th scope="row" className="w-2/5 py-0.5 pr-3 text-left font-normal break-words text-ink-soft md:w-1/4">
              {name}
            </th>
            <td className="py-0.5 font-mono break-words whitespace-pre-wrap">{String(value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A body as text, JSON indented. Never rendered as markup. */
export function PlainText(props: { text: string; truncated: boolean; nothing: string | undefined }) {
  const { text, truncated, nothing } = props
  if (text === '') return nothing === undefined ? null : <p className="text-ink-soft">{nothing}</p>
  return (
    <>
      <pre
        tabIndex={0}
        aria-label="Body"
        className="max-h-96 overflow-auto rounded-lg bg-sunken p-3 font-mono text-sm break-words whitespace-pre-wrap"
      >
        {laidOut(text)}
      </pre>
      {truncated && <p className="mt-1 text-sm text-ink-soft">The body is longer; the rest was not kept.</p>}
    </>
  )
}

function laidOut(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
