import { TemplateProblem } from '@vedette/checks/template'
import type { ChannelConfig, ChannelKind, ChannelKindParts } from './channel-kind.ts'

/** Makes a channel kind of its typed parts. Configurations from the database are untyped, but they were validated. */
export function defineChannel<Config extends ChannelConfig, Rendered>(
  parts: ChannelKindParts<Config, Rendered>,
): ChannelKind {
  return {
    type: parts.type,
    title: parts.title,
    form: parts.form,
    defaults: parts.defaults,
    config: parts.config,
    secretPaths: parts.secretPaths,
    ...(parts.shownOnChecks && { shownOnChecks: parts.shownOnChecks }),
    complete: (sent) => parts.complete(sent),
    missing: (settings) => parts.missing(settings),
    draft: parts.draft,
    problems: (config) => parts.problems(config as Config),
    preview: (draft, message, context) => parts.preview(draft, message, context),
    mapSecrets: (config, change) => parts.mapSecrets(config as Config, change),
    async deliver(config, message, context) {
      const rendered = renderOrProblem(() => parts.render(message, config as Config, context))
      if ('problem' in rendered) return { accepted: false, retryable: false, response: rendered.problem }
      return parts.send(rendered.value, context)
    },
  }
}

function renderOrProblem<T>(render: () => T): { value: T } | { problem: string } {
  try {
    return { value: render() }
  } catch (error) {
    if (!(error instanceof TemplateProblem)) throw error
    return { problem: `Not sent: ${error.message}.` }
  }
}
