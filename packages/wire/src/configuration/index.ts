import { agentSettings } from './agent-settings.ts'
import { serverSettings } from './server-settings.ts'
import { readSetting, type Program, type Setting, type SettingSource } from './setting.ts'
import { sharedSettings } from './shared-settings.ts'

export { defaultOf, type Program, type Setting } from './setting.ts'
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

/** Reads all settings of a program. Throws what `refusal` makes of the first one that cannot be used. */
export function readConfiguration<P extends Program>(program: P, source: SettingSource): Configuration<P> {
  const values = settingsOf(program).map(([key, setting]) => [key, readSetting(setting, program, source)])
  return Object.fromEntries(values) as Configuration<P>
}
