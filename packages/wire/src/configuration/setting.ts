/** A program that reads settings from its environment. The server's re-key command reads as the server does. */
export type Program = 'server' | 'agent'

/** How the text of a setting becomes its value, and how an error describes what was expected. */
export interface Kind<T> {
  /** The value of a text that is not empty; undefined when it cannot be used. */
  parse: (text: string) => T | undefined
  /** Ends the error `NAME is "x": expected …`. */
  expected: string
}

/** One value from the environment. The readers, `.env.example` and the manual are made from this statement. */
export interface Setting<T = unknown> extends Kind<T> {
  /** The environment variable. */
  name: string
  readBy: readonly Program[]
  /** Another variable that a program reads when this one has no value: its usual name elsewhere. */
  otherName?: Readonly<Partial<Record<Program, string>>>
  /** Title it stands under in `.env.example`. */
  group: string
  /** The value is never repeated in an error, and may come from the file that `NAME_FILE` names. */
  secret?: true
  /** In the error of a secret, in place of its value; "is not usable" unless stated. */
  wrong?: string
  /** Blanks at the ends of the variable belong to the value. */
  verbatim?: true
  /** The text that is read when nothing is set. */
  default?: string | Readonly<Partial<Record<Program, string>>>
  /** It must be set. Ends the error `NAME is not set: expected …`. */
  required?: string
  /** The name of another setting that must be set with it. */
  needs?: string
  /** For people: what holds when nothing is set and there is no default. */
  otherwise?: string
  /** For people: how a value may look. */
  example?: string
  /** For people: what it does, in sentences; names and values stand in backticks. */
  description: string
}

/** The text read when nothing is set, if there is one. */
export const defaultOf = ({ default: text }: Setting, program: Program): string | undefined =>
  typeof text === 'object' ? text[program] : text

/** What reading needs of the process. */
export interface SettingSource {
  env: Readonly<Record<string, string | undefined>>
  /** The text of a file; throws when it cannot be read. */
  readFile: (path: string) => string
}

/** The value of a setting for a program, or why it cannot be used, as a sentence. Neither when nothing is set. */
export type Read<T> = { value?: T; problem?: string }

/** Reads a setting of a program. */
export function readSetting<T>(setting: Setting<T>, program: Program, source: SettingSource): Read<T> {
  const { secret, wrong = 'is not usable', required, needs, parse, expected } = setting
  const name = nameRead(setting, program, source.env)
  const given = textOf({ ...setting, name }, source)
  if (given.problem !== undefined) return { problem: given.problem }
  const text = given.value ?? defaultOf(setting, program)
  if (text === undefined) return required === undefined ? {} : { problem: `${name} is not set: expected ${required}.` }
  const value = parse(text)
  if (value === undefined)
    return { problem: `${name} ${secret ? wrong : `is "${text.slice(0, 100)}"`}: expected ${expected}.` }
  if (needs !== undefined && !isSet(needs, source.env))
    return { problem: `${name} is set without ${needs}: expected both or neither.` }
  return { value }
}

// An empty variable is what compose files and charts write for "not set".
const filled = (text: string | undefined): string | undefined => (text?.trim() === '' ? undefined : text?.trim())

/** Whether a variable of the environment has a value. */
export const isSet = (name: string, env: SettingSource['env']): boolean => filled(env[name]) !== undefined

/** The variable of a setting that counts: the other name only when it alone has a value. */
function nameRead({ name, secret, otherName }: Setting, program: Program, env: SettingSource['env']): string {
  const other = otherName?.[program]
  const has = (one: string) => isSet(one, env) || (secret === true && isSet(`${one}_FILE`, env))
  return other !== undefined && has(other) && !has(name) ? other : name
}

function textOf({ name, secret, verbatim }: Setting, { env, readFile }: SettingSource): Read<string> {
  const given = verbatim ? env[name] || undefined : filled(env[name])
  const file = secret && filled(env[`${name}_FILE`])
  if (file === undefined) return given === undefined ? {} : { value: given }
  if (given !== undefined) return { problem: `${name} and ${name}_FILE are both set: expected one of them.` }
  try {
    const text = filled(readFile(file))
    return text === undefined ? {} : { value: text }
  } catch (error) {
    return { problem: `${name}_FILE is "${file}": it cannot be read (${String(error)}).` }
  }
}
