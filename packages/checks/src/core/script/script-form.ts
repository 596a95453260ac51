import type { FormSection } from '../check-type.ts'

/** The part of a form that asks for variables of the check itself. */
export const variablesSection: FormSection = {
  title: 'Environment variables',
  fields: [{ path: 'environmentVariables', label: 'Environment variables', kind: 'variables', item: 'variable' }],
}

/** The form of a script. */
export const scriptSection = (help: string): FormSection => ({
  title: 'Script',
  fields: [
    { path: 'script', label: 'Script', kind: 'code', help },
    {
      path: 'scriptPath',
      label: 'Path',
      kind: 'text',
      placeholder: 'checks/shop.spec.ts',
      help: 'Under which the script stands in the runtime. Imports are relative to it.',
    },
  ],
})
