import { doubleCheckStrategy, type RetryStrategy } from '@vedette/wire'
import { useField } from './form-context.ts'
import { Tick } from '../ui/checkbox.tsx'
import { inputLook, Field } from '../ui/field.tsx'
import { Select } from '../ui/select.tsx'

const choices = [
  { value: 'double', label: 'Once, immediately, from another location' },
  { value: 'none', label: 'Never: the first failure counts' },
  { value: 'SINGLE_RETRY', label: 'Once, after a pause' },
  { value: 'FIXED', label: 'Several times, same pause' },
  { value: 'LINEAR', label: 'Several times, pause grows evenly' },
  { value: 'EXPONENTIAL', label: 'Several times, pause multiplies' },
] as const

/** The retry strategy. Its fields appear when a kind is chosen. */
export function RetryFields() {
  const strategy = useField<RetryStrategy | null>('retryStrategy')
  const doubleCheck = useField<boolean>('doubleCheck')
  const shown = strategy.value?.type ?? (doubleCheck.value ? 'double' : 'none')
  const pick = (choice: string) => {
    doubleCheck.set(choice === 'double')
    strategy.set(
      choice === 'double' || choice === 'none'
        ? null
        : {
            ...doubleCheckStrategy,
            type: choice as RetryStrategy['type'],
            baseBackoffSeconds: 10,
            sameRegion: true,
            maxRetries: choice === 'SINGLE_RETRY' ? 1 : 2,
          },
    )
  }
  return (
    <div className="grid gap-4 md:grid-cols-[minmax(0,2fr)_1fr_1fr]">
      <Field label="Retry a failed run" faulty={strategy.faulty} complaint={strategy.complaint}>
        {(control) => (
          <Select {...control} value={shown} onChange={(event) => pick(event.target.value)}>
            {choices.map((choice) => (
              <option key={choice.value} value={choice.value}>
                {choice.label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {strategy.value && <StrategyFields strategy={strategy.value} set={strategy.set} faulty={strategy.faulty} />}
    </div>
  )
}

interface StrategyProps {
  strategy: RetryStrategy
  set: (strategy: RetryStrategy) => void
  faulty: boolean
}

/** Pause and number of the retries of a strategy. */
export function StrategyFields({ strategy, set, faulty }: StrategyProps) {
  return (
    <>
      <Field label="Pause (seconds)" faulty={faulty}>
        {(control) => (
          <input
            {...control}
            inputMode="numeric"
            className={inputLook}
            value={strategy.baseBackoffSeconds}
            onChange={(event) => set({ ...strategy, baseBackoffSeconds: Number(event.target.value) })}
          />
        )}
      </Field>
      {strategy.type !== 'SINGLE_RETRY' && (
        <Field label="Retries at most" faulty={faulty}>
          {(control) => (
            <input
              {...control}
              inputMode="numeric"
              className={inputLook}
              value={strategy.maxRetries}
              onChange={(event) => set({ ...strategy, maxRetries: Number(event.target.value) })}
            />
          )}
        </Field>
      )}
      <Tick
        label="Retry at the location that failed"
        checked={strategy.sameRegion}
        onChange={(sameRegion) => set({ ...strategy, sameRegion })}
      />
    </>
  )
}
