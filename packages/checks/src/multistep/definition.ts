import { minuteFrequencies } from '@vedette/wire'
import { defineCheckType } from '../core/check-type.ts'
import type { DefinitionOf } from '../core/definition/typed-definition.ts'
import { variablesRule } from '../core/definition/variables-rule.ts'
import { completeScript, scriptDefaults, scriptFields, storedScriptFields } from '../core/script/script-fields.ts'
import { scriptSection, variablesSection } from '../core/script/script-form.ts'
import { codeJudgement } from '../core/script/script-judgement.ts'
import { scriptMs } from '../core/script/script-result.ts'
import { multiStepResultView, multiStepTypePart, toMultiStepResult, type MultiStepEvidence } from './result.ts'

/** Longest time of one attempt in milliseconds. */
const attemptTimeoutMs = 240_000

const fields = scriptFields('Node.js code that sends requests one after the other.')

/** The complete definition of a multi-step check. */
export type MultiStepDefinition = DefinitionOf<typeof storedScriptFields>

const startScript = `import { test, expect } from '@playwright/test'

test('the shop answers', async ({ request }) => {
  const response = await request.get('https://example.com/')
  expect(response.status()).toBeLessThan(400)
})
`

/** Scripts that send several requests, each with what the one before answered. */
export const multiStepCheckType = defineCheckType<
  MultiStepDefinition,
  MultiStepEvidence,
  DefinitionOf<typeof fields>,
  typeof multiStepTypePart
>({
  type: 'MULTI_STEP',
  path: 'multistep',
  title: 'Multi-step',
  ...multiStepTypePart,
  fields,
  storedFields: storedScriptFields,
  defaults: scriptDefaults,
  example: { name: 'Shop answers', frequency: 15, script: startScript },
  formStart: { script: startScript },
  rules: [variablesRule],
  secretPaths: ['environmentVariables.[secret].value'],
  complete: completeScript,
  mode: {
    kind: 'scheduled',
    workerClass: 'script',
    frequencies: minuteFrequencies,
    repeatWhenStalled: false,
    needs: () => ['user-code'],
    timeoutMs: () => attemptTimeoutMs,
  },
  dryRun: true,
  ...codeJudgement,
  responseMs: scriptMs,
  metrics: [{ name: 'responseTime', label: 'Duration', unit: 'ms', read: scriptMs }],
  toResult: toMultiStepResult,
  resultView: multiStepResultView,
  target: () => '',
  describe: () => ({ action: 'run a script of several requests', host: '' }),
  form: [scriptSection('A test that sends requests, each with what the one before answered.'), variablesSection],
})
