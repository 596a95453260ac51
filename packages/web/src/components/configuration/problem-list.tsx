import type { Place, Problem } from './read-files.ts'

/** What is wrong with the files, each with the way to its line. */
export function ProblemList({ problems, onGo }: { problems: readonly Problem[]; onGo: (place: Place) => void }) {
  return (
    <>
      <p role="alert" className="font-medium text-fail">
        {problems.length === 1 ? 'One problem' : `${problems.length} problems`}. Nothing was changed.
      </p>
      <ul aria-label="Problems" className="mt-2 divide-y divide-line">
        {problems.map(({ text, place }, at) => (
          <li key={at} className="py-1.5">
            {place && (
              <button
                type="button"
                className="block min-h-6 text-left text-sm font-medium wrap-anywhere text-accent underline underline-offset-2 max-md:min-h-11"
                onClick={() => onGo(place)}
              >
                {place.file}, line {place.line}
              </button>
            )}
            <span className="wrap-anywhere">{text}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
