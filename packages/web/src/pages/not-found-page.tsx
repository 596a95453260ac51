import { Link } from '@tanstack/react-router'
import { PageTitle } from '../components/basics/page-title.tsx'

export function NotFoundPage() {
  return (
    <div className="p-8">
      <PageTitle text="Nothing here" />
      <h1 className="text-2xl font-bold">There is nothing at this address</h1>
      <p className="mt-2">
        It may have been deleted.{' '}
        <Link to="/" className="text-accent underline">
          Go to all checks
        </Link>
      </p>
    </div>
  )
}
