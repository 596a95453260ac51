import { minuteFrequencies } from '@vedette/wire'
import { z, type ZodRawShape } from 'zod'
import { defineCheckType, type FormSection } from '../core/check-type.ts'
import { completeVariables, storedEnvironmentVariablesSchema, textOrNull } from '../core/definition/field-shapes.ts'
import type { DefinitionOf } from '../core/definition/typed-definition.ts'
import { variablesRule } from '../core/definition/variables-rule.ts'
import { ownVariables } from '../core/script/script-fields.ts'
import { variablesSection } from '../core/script/script-form.ts'
import { codeJudgement } from '../core/script/script-judgement.ts'
import { playwrightResultView, playwrightTypePart, toPlaywrightResult, type PlaywrightEvidence } from './result.ts'

/** Longest time of one attempt in milliseconds: five minutes to install, thirty to test. */
const attemptTimeoutMs = 35 * 60_000

const path = z.string().max(1000)
const command = z.string().max(4000)
const version = z.string().max(100).nullable()

const plainFields = {
  codeBundlePath: path.min(1).meta({ description: 'Where the tests are stored.', examples: ['bundles/shop.tgz'] }),
  testCommand: command.min(1).describe('Command that runs the tests.'),
  installCommand: command.describe('Command that installs what they need; empty for what the lock file says.'),
  browsers: z.array(z.string().min(1).max(50)).max(20).describe('Browsers that the tests need.'),
  playwrightVersion: version.describe('Version the tests are written for.'),
  workingDir: path.nullable().describe('Folder in the bundle in which the commands are run; null: its root.'),
  cacheHash: z.string().max(255).nullable().describe('Stands for what is to be installed: kept while it is the same.'),
  engine: z.enum(['node', 'bun']).nullable().describe('What runs the tests; null: as the runtime has it.'),
  engineVersion: version.describe('Version of the engine.'),
}
const fields = { ...plainFields, environmentVariables: ownVariables } satisfies ZodRawShape
const storedFields = { ...plainFields, environmentVariables: storedEnvironmentVariablesSchema } satisfies ZodRawShape

/** The complete definition of a Playwright check. */
export type PlaywrightDefinition = DefinitionOf<typeof storedFields>

const form: readonly FormSection[] = [
  {
    title: 'Tests',
    fields: [
      {
        path: 'codeBundlePath',
        label: 'Bundle',
        kind: 'text',
        placeholder: 'bundles/shop.tgz',
        help: 'Where the tests are stored.',
      },
      {
        path: 'engine',
        label: 'Engine',
        kind: 'select',
        options: [
          { value: '', label: 'As the runtime' },
          { value: 'node', label: 'Node.js' },
          { value: 'bun', label: 'Bun' },
        ],
      },
      { path: 'testCommand', label: 'Test command', kind: 'text', placeholder: 'npx playwright test' },
      { path: 'engineVersion', label: 'Engine version', kind: 'text', placeholder: '24' },
      {
        path: 'installCommand',
        label: 'Install command',
        kind: 'text',
        placeholder: 'npm ci',
        help: 'Left empty, what the lock file says is installed.',
      },
      { path: 'workingDir', label: 'Working folder', kind: 'text', placeholder: 'packages/shop' },
      { path: 'playwrightVersion', label: 'Playwright version', kind: 'text', placeholder: '1.65.1' },
      { path: 'browsers', label: 'Browsers', kind: 'texts', placeholder: 'chromium', help: 'Separated by commas.' },
    ],
  },
  variablesSection,
]

/** Suites of browser tests with packages of their own. */
export const playwrightCheckType = defineCheckType<
  PlaywrightDefinition,
  PlaywrightEvidence,
  DefinitionOf<typeof fields>,
  typeof playwrightTypePart
>({
  type: 'PLAYWRIGHT',
  path: 'playwright',
  title: 'Playwright',
  ...playwrightTypePart,
  fields,
  storedFields,
  defaults: {
    testCommand: 'npx playwright test',
    installCommand: '',
    browsers: ['chromium'],
    playwrightVersion: null,
    workingDir: null,
    cacheHash: null,
    engine: null,
    engineVersion: null,
    environmentVariables: null,
  },
  example: { name: 'Checkout', frequency: 60, codeBundlePath: 'bundles/shop.tgz' },
  formStart: { codeBundlePath: '' },
  rules: [variablesRule],
  secretPaths: ['environmentVariables.[secret].value'],
  complete: (definition) => ({
    ...definition,
    playwrightVersion: textOrNull(definition.playwrightVersion),
    workingDir: textOrNull(definition.workingDir),
    cacheHash: textOrNull(definition.cacheHash),
    engineVersion: textOrNull(definition.engineVersion),
    environmentVariables: completeVariables(definition.environmentVariables),
  }),
  mode: {
    kind: 'scheduled',
    workerClass: 'browser',
    frequencies: minuteFrequencies,
    repeatWhenStalled: false,
    needs: () => ['user-code', 'browser'],
    timeoutMs: () => attemptTimeoutMs,
  },
  dryRun: false,
  ...codeJudgement,
  responseMs: ({ durationMs }) => durationMs,
  metrics: [{ name: 'responseTime', label: 'Duration', unit: 'ms', read: ({ durationMs }) => durationMs }],
  toResult: toPlaywrightResult,
  resultView: playwrightResultView,
  target: () => '',
  describe: ({ testCommand }) => ({ action: `run ${testCommand}`, host: '' }),
  form,
})
