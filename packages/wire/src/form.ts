import { z } from 'zod'

/** A field of a form that the web app renders. `path` is dotted, from the root of what the form edits. */
const formField = z.object({
  path: z.string(),
  label: z.string(),
  kind: z
    .enum([
      'text',
      'texts',
      'number',
      'select',
      'boolean',
      'textarea',
      'code',
      'template',
      'keyValues',
      'variables',
      'assertions',
      'basicAuth',
      'snippet',
    ])
    .describe('In a select, an option with an empty value stands for null.'),
  tab: z.string().optional().describe('Name of the tab of its section; fields without one stand above the tabs.'),
  item: z.string().optional().describe('What one row of a list is called: header, parameter.'),
  help: z.string().optional(),
  placeholder: z.string().optional(),
  options: z
    .array(z.object({ value: z.string(), label: z.string() }))
    .readonly()
    .optional(),
  visibleWhen: z
    .object({ path: z.string(), oneOf: z.array(z.unknown()).readonly() })
    .optional()
    .describe('Shown only while the value at `path` is one of these.'),
})
export type FormField = z.infer<typeof formField>

/** A titled part of a form. Check types and channel kinds describe their forms with it. */
export const formSectionSchema = z.object({
  title: z.string(),
  note: z.string().optional().describe('Said above its fields.'),
  fields: z.array(formField).readonly(),
})
export type FormSection = z.infer<typeof formSectionSchema>
