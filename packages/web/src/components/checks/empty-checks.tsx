import { Activity } from 'lucide-react'
import { PagePlaceOf } from '../../app/page-place.ts'
import { buttonLook } from '../../ui/button.tsx'
import { TypeLinks } from './type-links.tsx'

/** Shown while there is no check: leads to creating the first one. */
export function EmptyChecks() {
  return (
    <section className="mx-auto mt-[10vh] flex max-w-lg flex-col items-center gap-2 px-6 text-center">
      <PagePlaceOf title="Checks" />
      <span aria-hidden="true" className="rounded-full bg-accent-wash p-4 text-accent">
        <Activity className="size-7" />
      </span>
      <h1 className="mt-2 text-xl font-semibold">Nothing is watched yet</h1>
      <p className="text-ink-soft">
        A check asks your service a question on a schedule, from one or more locations, and notifies you when the answer
        is wrong. Start with the address that would wake you up if it were down.
      </p>
      <div className="mt-4 flex flex-wrap justify-center gap-2">
        <TypeLinks
          className="flex flex-wrap justify-center gap-2"
          lookOf={({ awaitsRunner }, index) => buttonLook(awaitsRunner ? 'quiet' : index === 0 ? 'primary' : 'plain')}
          textOf={({ title, awaitsRunner }) => (awaitsRunner ? title : `New ${title} check`)}
        />
      </div>
    </section>
  )
}
