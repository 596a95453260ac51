import { defaultsOf, hasCommonField, type AnyCheckType } from '@vedette/checks'

/** Fields that a copy must not share with its original. */
const ownFields = ['id', 'created_at', 'updated_at', 'frequencyOffset', 'checkType']

/** What the form of a new check begins with: the defaults of its type, or a copy of another check. */
export function startOf(type: AnyCheckType, original: Record<string, unknown> | undefined): Record<string, unknown> {
  if (original !== undefined) {
    const copied = Object.entries(original).filter(([name]) => !ownFields.includes(name))
    return { ...Object.fromEntries(copied), name: `Copy of ${String(original['name'])}` }
  }
  const filled = type.complete({ ...defaultsOf(type), name: '', ...type.formStart })
  return hasCommonField(type, 'frequency') ? { ...filled, frequency: 1 } : filled
}

/** Name under which what is typed for a new check is kept. */
export const draftOf = (type: AnyCheckType, original = ''): string => `new ${type.type} ${original}`
