import { Link } from '@tanstack/react-router'
import { checkTypes } from '@vedette/checks'
import { buttonLook } from '../basics/button.tsx'
import { PageTitle } from '../basics/page-title.tsx'

/** Shown while there is no check: leads to creating the first one. */
export function EmptyChecks() {
  return (
    <section className="mx-auto mt-10 max-w-xl rounded-xl border border-line bg-surface p-8">
      <PageTitle text="Nothing is watched yet" />
      <h1 className="text-2xl font-bold">Nothing is watched yet</h1>
      <p className="mt-2 text-ink-soft">
        A check asks your service a question on a schedule, from one or more locations, and notifies you when the answer
        is wrong. Start with the address that would wake you up if it were down.
      </p>
      <div className="mt-5 flex flex-wrap gap-3">
        {checkTypes.map((type, index) => (
          <Link
            key={type.type}
            to="/checks/new/$path"
            params={{ path: type.path }}
            className={buttonLook(index === 0 ? 'primary' : 'plain')}
          >
            New {type.title} check
          </Link>
        ))}
      </div>
    </section>
  )
}
