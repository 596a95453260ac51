import { comparisonsFor, type AssertionSource } from '@vedette/checks'
import type { Assertion, Comparison } from '@vedette/wire'
import { Plus, X } from 'lucide-react'
import { labelOf } from '../components/results/assertion-text.ts'
import { Button } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { isWithin, useCheckType, useField, useForm } from './form-context.ts'
import { inputLook } from '../ui/field.tsx'
import { Select } from '../ui/select.tsx'

const withoutTarget: readonly Comparison[] = ['IS_EMPTY', 'NOT_EMPTY', 'IS_NULL', 'NOT_NULL']

/** The assertions of a check. Sources, comparisons and properties are those of the check type. */
export function AssertionList({ path }: { path: string }) {
  const type = useCheckType()
  const { faults } = useForm()
  const { value, set, complaint } = useField<Assertion[] | undefined>(path)
  const assertions = value ?? []
  const sources = Object.entries(type.assertionSources).filter(([, source]) => source.aliasOf === undefined)
  const change = (index: number, part: Partial<Assertion>) =>
    set(assertions.map((each, at) => (at === index ? { ...each, ...part } : each)))
  const add = () => {
    const [source, first] = sources[0] ?? []
    if (source !== undefined && first)
      set([
        ...assertions,
        {
          source,
          comparison: comparisonsFor(first, firstProperty(first))[0] ?? 'EQUALS',
          property: firstProperty(first),
          target: '',
          regex: null,
        },
      ])
  }
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="sr-only">Assertions</legend>
      {assertions.length === 0 && (
        <p className="text-ink-soft">Without assertions, any answer that is not an error passes.</p>
      )}
      {assertions.map((assertion, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <div
          key={index}
          role="group"
          aria-label={`Assertion ${index + 1}`}
          className="relative flex flex-col gap-2 max-lg:rounded-lg max-lg:border max-lg:border-line max-lg:p-3 lg:flex-row"
        >
          <AssertionRow
            assertion={assertion}
            faultAt={(name) => faults.some((fault) => isWithin(fault.path, `${path}.${index}.${name}`))}
            change={(part) => change(index, part)}
          />
          <span className="max-lg:absolute max-lg:top-3 max-lg:right-3">
            <IconButton
              label={`Remove assertion ${index + 1}`}
              icon={<X aria-hidden="true" className="size-4" />}
              onClick={() => set(assertions.filter((_, at) => at !== index))}
            />
          </span>
        </div>
      ))}
      {complaint !== undefined && <p className="text-sm font-semibold break-words text-fail">{complaint}</p>}
      <div>
        <Button look="quiet" icon={<Plus aria-hidden="true" className="size-4" />} onClick={add}>
          Add assertion
        </Button>
      </div>
    </fieldset>
  )
}

interface RowProps {
  assertion: Assertion
  faultAt: (name: keyof Assertion) => boolean
  change: (part: Partial<Assertion>) => void
}

function AssertionRow({ assertion, faultAt, change }: RowProps) {
  const type = useCheckType()
  const source = type.assertionSources[assertion.source]
  const pick = (name: string, of: string) => {
    const chosen = type.assertionSources[name]
    const comparisons = chosen === undefined ? [] : comparisonsFor(chosen, of)
    change({
      source: name,
      property: of,
      comparison: comparisons.includes(assertion.comparison) ? assertion.comparison : (comparisons[0] ?? 'EQUALS'),
    })
  }
  return (
    <>
      <Select
        className="max-lg:mr-13 lg:w-40 lg:shrink-0"
        aria-label="Source"
        value={assertion.source}
        onChange={(event) => pick(event.target.value, firstProperty(type.assertionSources[event.target.value]))}
      >
        {Object.entries(type.assertionSources)
          .filter(([name, each]) => each.aliasOf === undefined || name === assertion.source)
          .map(([name]) => (
            <option key={name} value={name}>
              {labelOf(name)}
            </option>
          ))}
      </Select>
      {source?.property && (
        <PropertyField
          property={source.property}
          value={assertion.property}
          isFaulty={faultAt('property')}
          onChange={(property) => pick(assertion.source, property)}
        />
      )}
      <Select
        className="lg:w-40 lg:shrink-0"
        aria-label="Comparison"
        aria-invalid={faultAt('comparison')}
        value={assertion.comparison}
        onChange={(event) => change({ comparison: event.target.value as Comparison })}
      >
        {(source === undefined ? [] : comparisonsFor(source, assertion.property)).map((comparison) => (
          <option key={comparison} value={comparison}>
            {labelOf(comparison)}
          </option>
        ))}
      </Select>
      {!withoutTarget.includes(assertion.comparison) && (
        <input
          aria-label="Target"
          aria-invalid={faultAt('target')}
          className={inputLook}
          placeholder="Expected value"
          value={assertion.target}
          onChange={(event) => change({ target: event.target.value })}
        />
      )}
    </>
  )
}

type Property = NonNullable<AssertionSource<unknown>['property']>

/** Where only some values will do, the first is chosen. */
const firstProperty = (source: AssertionSource<unknown> | undefined): string => source?.property?.options?.[0] ?? ''

interface PropertyProps {
  property: Property
  value: string
  isFaulty: boolean
  onChange: (value: string) => void
}

function PropertyField({ property: { label, placeholder, options }, value, isFaulty, onChange }: PropertyProps) {
  const control = { 'aria-label': label, 'aria-invalid': isFaulty, value }
  if (options === undefined)
    return (
      <input
        {...control}
        className={`${inputLook} font-mono text-sm lg:min-w-44`}
        placeholder={placeholder}
        onChange={(event) => onChange(event.target.value)}
      />
    )
  return (
    <Select {...control} className="lg:w-32 lg:shrink-0" onChange={(event) => onChange(event.target.value)}>
      {options.map((option) => (
        <option key={option} value={option}>
          {option}
        </option>
      ))}
    </Select>
  )
}
