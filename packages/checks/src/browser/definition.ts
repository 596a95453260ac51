import { minuteFrequencies } from '@vedette/wire'
import { z, type ZodRawShape } from 'zod'
import { defineCheckType } from '../core/check-type.ts'
import { textOrNull } from '../core/definition/field-shapes.ts'
import type { DefinitionOf } from '../core/definition/typed-definition.ts'
import { variablesRule } from '../core/definition/variables-rule.ts'
import { completeScript, scriptDefaults, scriptFields, storedScriptFields } from '../core/script/script-fields.ts'
import { scriptSection, variablesSection } from '../core/script/script-form.ts'
import { codeJudgement } from '../core/script/script-judgement.ts'
import { scriptMs } from '../core/script/script-result.ts'
import { browserMetrics } from './metrics.ts'
import { browserResultView, browserTypePart, toBrowserResult, type BrowserEvidence } from './result.ts'

/** Longest time of one attempt in milliseconds. */
const attemptTimeoutMs = 240_000

/** A name of the internet with at least one dot, or nothing. */
const domainName = z
  .string()
  .max(253)
  .regex(
    /^$|^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)+[a-z0-9-]{2,}\.?$/i,
    'must be a full domain name, such as shop.example.com',
  )

const sslCheckDomain = domainName.nullable().describe('Full domain name whose certificate is looked at; null for none.')

const fields = {
  ...scriptFields('Node.js code that drives a browser.'),
  sslCheckDomain,
} satisfies ZodRawShape
const storedFields = { ...storedScriptFields, sslCheckDomain } satisfies ZodRawShape

/** The complete definition of a browser check. */
export type BrowserDefinition = DefinitionOf<typeof storedFields>

const startScript = `import { test, expect } from '@playwright/test'

test('the front page opens', async ({ page }) => {
  const response = await page.goto('https://example.com/')
  expect(response?.status()).toBeLessThan(400)
})
`

/** Scripts that drive a browser. Source: contract, "Browser check specific fields". */
export const browserCheckType = defineCheckType<
  BrowserDefinition,
  BrowserEvidence,
  DefinitionOf<typeof fields>,
  typeof browserTypePart
>({
  type: 'BROWSER',
  path: 'browser',
  title: 'Browser',
  ...browserTypePart,
  fields,
  storedFields,
  defaults: { ...scriptDefaults, sslCheckDomain: null },
  example: { name: 'Front page opens', frequency: 15, script: startScript },
  formStart: { script: startScript },
  rules: [variablesRule],
  secretPaths: ['environmentVariables.[secret].value'],
  complete: (definition) => ({
    ...completeScript(definition),
    sslCheckDomain: textOrNull(definition.sslCheckDomain),
  }),
  mode: {
    kind: 'scheduled',
    workerClass: 'browser',
    frequencies: minuteFrequencies,
    repeatWhenStalled: false,
    needs: () => ['user-code', 'browser'],
    timeoutMs: () => attemptTimeoutMs,
  },
  dryRun: true,
  ...codeJudgement,
  responseMs: scriptMs,
  metrics: browserMetrics,
  toResult: toBrowserResult,
  resultView: browserResultView,
  target: ({ sslCheckDomain: domain }) => domain ?? '',
  describe: ({ sslCheckDomain: domain }) => ({ action: 'run a script in a browser', host: domain ?? '' }),
  form: [
    scriptSection('A test that drives a browser.'),
    variablesSection,
    {
      title: 'Certificate',
      fields: [
        {
          path: 'sslCheckDomain',
          label: 'Domain',
          kind: 'text',
          placeholder: 'shop.example.com',
          help: 'Its certificate is looked at in each run, so that you hear before it ends.',
        },
      ],
    },
  ],
})
