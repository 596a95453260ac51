import { Fields } from './fields.tsx'
import { Overlays } from './overlays.tsx'
import { Signs } from './signs.tsx'
import { Structures } from './structures.tsx'

/** Every component of the system in all its states. The development server shows it; the product does not contain it. */
export function Gallery() {
  return (
    <main className="mx-auto flex max-w-6xl flex-col gap-6 p-4 md:p-8">
      <h1 className="text-2xl font-semibold tracking-tight">Components</h1>
      <Signs />
      <Fields />
      <Structures />
      <Overlays />
    </main>
  )
}
