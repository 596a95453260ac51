import { agentSettings } from './agent-settings.ts'
import { serverSettings } from './server-settings.ts'
import { readSetting, type Program, type Setting, type SettingSource } from './setting.ts'
import { sharedSettings } from './shared-settings.ts'
import { unknownSettings } from './unknown-settings.ts'

export { defaultOf, type Program, type Setting } from './setting.ts'
export { toolVariables } from './unknown-settings.ts'
export type { LogLevel } from './shared-settings.ts'

/** Every setting of every program, in the order people read them. */
export const settings = { ...serverSettings, ...agentSettings, ...sharedSettings }

type Settings = typeof settings

/** Whether a program always gets a value: it must be set, or the program has a default. */
type IsCertain<S, P extends Program> = S extends { required: unknown }
  ? true
  : S extends { default: infer D }
    ? D extends string | Record<P, string>
      ? true
      : false
    : false

type ValueOf<S extends Setting, P extends Program> =
  | NonNullable<ReturnType<S['parse']>>
  | (IsCertain<S, P> extends true ? never : undefined)

/** What a program gets of its settings: undefined only where nothing is set and there is no default. */
export type Configuration<P extends Program> = {
  [Key in keyof Settings as P extends Settings[Key]['readBy'][number] ? Key : never]: ValueOf<Settings[Key], P>
}

/** The settings a program reads, with their keys in its configuration. */
export const settingsOf = (program: Program): [string, Setting][] =>
  Object.entries<Setting>(settings).filter(([, { readBy }]) => readBy.includes(program))

/**
 * Reads all settings of a program. Throws what `refusal` makes of one text with everything that is wrong, also variables
 * that look like a setting and are none: sentences, each in a line when there are several.
 */
export function readConfiguration<P extends Program>(
  program: P,
  source: SettingSource & { refusal: (text: string) => Error },
): Configuration<P> {
  const reads = settingsOf(program).map(([key, setting]) => ({ key, ...readSetting(setting, program, source) }))
  const problems = [
    ...unknownSettings(source.env, Object.values<Setting>(settings)),
    ...reads.flatMap(({ problem }) => problem ?? []),
  ]
  if (problems.length > 0) throw source.refusal(oneText(problems))
  return Object.fromEntries(reads.map(({ key, value }) => [key, value])) as Configuration<P>
}

const oneText = (problems: readonly string[]): string =>
  problems.length === 1 ? problems.join('') : [`${problems.length} settings cannot be used:`, ...problems].join('\n  ')
