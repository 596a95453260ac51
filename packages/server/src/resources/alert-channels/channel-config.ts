import { fieldProblems } from '@vedette/wire'
import { channelKindOf, type ChannelKind } from '../../alerting/index.ts'
import { danglingMasks, keepMaskedSecrets } from '../../alerting/channels/sealed-config.ts'
import { invalid, invalidField } from '../../api-error.ts'
import { secretPaths } from './schema.ts'

type Config = Record<string, unknown>

export function kindOf(type: string): ChannelKind {
  const kind = channelKindOf(type)
  if (!kind) throw new Error(`No channel kind ${type} is built`)
  return kind
}

/** A config that fits a schema of its kind. Throws a 400 naming what is wrong. */
export function parsedConfig(schema: ChannelKind['config'], sent: Config): Config {
  const parsed = schema.safeParse(sent, { reportInput: true })
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map((issue) => ({ ...issue, path: ['config', ...issue.path] }))
  throw invalid(fieldProblems(issues, secretPaths))
}

/**
 * A complete, valid config of the kind, masks replaced by the secrets of `stored`. Throws a 400 naming what is wrong.
 */
export function validConfig(kind: ChannelKind, sent: Config, stored: Config | undefined): Config {
  const complete = kind.complete(parsedConfig(kind.config, sent))
  const config = stored ? keepMaskedSecrets(kind, stored, complete) : complete
  const [dangling] = danglingMasks(kind, config)
  if (dangling !== undefined) {
    throw invalidField(`config.${dangling}`, 'is the mask of a secret, and none is stored that it could stand for')
  }
  const problems = kind.problems(config)
  if (problems.length > 0) {
    throw invalid(problems.map(({ path, message }) => ({ path: `config.${path}`, message })))
  }
  return config
}
