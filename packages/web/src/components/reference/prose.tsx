/** A text of the document: what stands between backticks is code. */
export function Prose({ text }: { text: string }) {
  return text.split('`').map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      <code key={at} className="font-mono text-[0.95em]">
        {part}
      </code>
    ),
  )
}
