import { Link } from '@tanstack/react-router'
import { checkTypes, runModeOf, type AnyCheckType } from '@vedette/checks'

interface Props {
  lookOf: (type: AnyCheckType, index: number) => string
  textOf: (type: AnyCheckType) => string
  current?: AnyCheckType
  className: string
}

const waiting = checkTypes.filter(({ awaitsRunner }) => awaitsRunner === true)
const atWork = checkTypes.filter((type) => type.mode.kind === 'passive' || runModeOf(type) !== undefined)

/** A link to the form of each check type; those without a runner stand apart, named as such. */
export function TypeLinks({ lookOf, textOf, current, className }: Props) {
  const links = (types: readonly AnyCheckType[]) =>
    types.map((type, index) => (
      <Link
        key={type.type}
        to="/checks/new/$path"
        params={{ path: type.path }}
        className={`${lookOf(type, index)} aria-[current=page]:bg-accent-wash aria-[current=page]:text-accent`}
        aria-current={type === current ? 'page' : undefined}
      >
        {textOf(type)}
      </Link>
    ))
  return (
    <>
      <span className={className}>{links(atWork)}</span>
      {waiting.length > 0 && (
        <span role="group" aria-label="No runner yet" className={className}>
          <span aria-hidden="true" className="flex min-h-control items-center text-sm text-ink-soft">
            No runner yet:
          </span>
          {links(waiting)}
        </span>
      )}
    </>
  )
}
