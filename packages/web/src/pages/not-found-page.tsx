import { Link } from '@tanstack/react-router'
import { PagePlaceOf } from '../app/page-place.ts'

/** Says that there is no such thing at the address. `what`: a word for what would be there. */
export function NotFoundPage({ what }: { what?: string }) {
  return (
    <div className="mx-auto mt-[10vh] max-w-lg">
      <PagePlaceOf title="Nothing here" />
      <h1 className="text-xl font-semibold">
        {what === undefined ? 'There is nothing at this address' : `No such ${what}`}
      </h1>
      <p className="mt-2">
        It may have been deleted.{' '}
        <Link to="/" className="text-accent underline">
          Go to all checks
        </Link>
      </p>
    </div>
  )
}
