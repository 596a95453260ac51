import type { FieldProblem } from './check.ts'
import type { z } from 'zod'

type Issue = z.core.$ZodIssue & { input?: unknown }

const shownLength = 100
/** Bounds the answer to a body with very many wrong values. */
const shownProblems = 50
const alwaysSecret =
  /(headers|queryParameters|environmentVariables)\.\d+\.value|password|passphrase|secret|token|authorization|cookie|rawkey|apikey|credential/i

/** Turns zod's issues into problems that name field, rule and value. Values of secret fields are never shown. */
export function fieldProblems(issues: readonly z.core.$ZodIssue[], secretPaths: readonly string[]): FieldProblem[] {
  return issues
    .slice(0, shownProblems)
    .flatMap((issue) => problemsOf(issue, '', secretPaths))
    .slice(0, shownProblems)
}

function problemsOf(issue: Issue, prefix: string, secretPaths: readonly string[]): FieldProblem[] {
  const path = [prefix, ...issue.path.map(String)].filter((part) => part !== '').join('.')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: cut(path === '' ? key : `${path}.${key}`),
      message: 'is not a known field',
    }))
  }
  if (isNoSuchKind(issue)) return [wrongKind(issue, path)]
  if (issue.code === 'invalid_union') {
    const branch = closestBranch(issue.errors)
    if (branch) return branch.flatMap((nested) => problemsOf(nested, path, secretPaths))
  }
  if (isEmpty(issue)) return [{ path, message: 'must not be empty' }]
  const got = isSecret(path, secretPaths) ? '' : shown(issue, path)
  return [{ path, message: `${rule(issue)}${got}` }]
}

type NoSuchKind = Issue & { code: 'invalid_union'; discriminator: string; options?: readonly unknown[] }

const isNoSuchKind = (issue: Issue): issue is NoSuchKind =>
  issue.code === 'invalid_union' && 'discriminator' in issue && issue.discriminator !== undefined

/** The field that says which kind of object it is names none of the kinds. */
function wrongKind({ discriminator, options = [], input }: NoSuchKind, path: string): FieldProblem {
  const sent = (input as Record<string, unknown> | undefined)?.[discriminator]
  const kinds = oneOf(options)
  if (sent === undefined) return { path, message: `is required and must be ${kinds}` }
  return { path, message: `must be ${kinds}${shown({ code: 'invalid_value', input: sent } as Issue, path)}` }
}

/** The branch of a union that the value matched best: the one whose problems lie deepest. */
function closestBranch(branches: readonly z.core.$ZodIssue[][]): readonly z.core.$ZodIssue[] | undefined {
  const depth = (branch: readonly z.core.$ZodIssue[]) =>
    Math.max(...branch.map((issue) => issue.path.length + (issue.code === 'unrecognized_keys' ? 1 : 0)))
  return branches
    .filter((branch) => branch.length > 0)
    .toSorted((a, b) => depth(b) - depth(a) || a.length - b.length)[0]
}

/** Messages of the library begin with a capital; those of our schemas continue a sentence after the field's name. */
const isOurs = (message: string): boolean => /^[a-z]/.test(message)

const units: Record<string, string> = { string: ' characters long', array: ' items long' }

const isMissing = ({ code, input }: Issue): boolean =>
  input === undefined && (code === 'invalid_type' || code === 'invalid_value')

/** A text or list without anything in it, where there must be something. */
const isEmpty = ({ code, input }: Issue): boolean =>
  code === 'too_small' && (typeof input === 'string' || Array.isArray(input)) && input.length === 0

/** What a text must be that has one of these formats. */
const formats: Record<string, string> = {
  guid: 'a UUID',
  uuid: 'a UUID',
  email: 'an e-mail address',
  url: 'a URL',
  datetime: 'an ISO 8601 date and time',
}

function rule(issue: Issue): string {
  if (isMissing(issue)) return 'is required'
  if (isOurs(issue.message)) return issue.message
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${article(issue.expected)}`
    case 'too_big':
    case 'too_small':
      return `must be ${bound(issue)}${units[issue.origin] ?? ''}`
    case 'invalid_value':
      return `must be ${oneOf(issue.values)}`
    case 'invalid_format':
      return issue.format === 'regex'
        ? `must match ${issue.pattern ?? 'the pattern'}`
        : `must be ${formats[issue.format] ?? `a valid ${issue.format}`}`
    default:
      return issue.message
  }
}

function bound(issue: z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall): string {
  const exclusive = issue.inclusive === false
  if (issue.code === 'too_big') return `${exclusive ? 'less than' : 'at most'} ${issue.maximum}`
  return `${exclusive ? 'greater than' : 'at least'} ${issue.minimum}`
}

const oneOf = (values: readonly unknown[]): string =>
  values.length === 1 ? JSON.stringify(values[0]) : `one of ${values.map(String).join(', ')}`

const article = (type: string): string =>
  type === 'int'
    ? 'a whole number'
    : type === 'record'
      ? 'an object'
      : /^[aeiou]/.test(type)
        ? `an ${type}`
        : `a ${type}`

function shown({ input, code }: Issue, path: string): string {
  if (input === undefined || code === 'custom' || path === '') return ''
  if (input === null) return ', got null'
  if (Array.isArray(input)) return code === 'too_big' ? `, got ${input.length}` : ', got an array'
  if (typeof input === 'object') return ', got an object'
  if (typeof input === 'string' && (code === 'too_big' || code === 'too_small')) return `, got ${input.length}`
  return `, got ${cut(JSON.stringify(input) ?? typeof input)}`
}

const cut = (text: string): string => (text.length > shownLength ? `${text.slice(0, shownLength)}…` : text)

/** Whether a path is, contains or lies under a secret path (array positions ignored), or is named like a secret. */
function isSecret(path: string, secretPaths: readonly string[]): boolean {
  if (alwaysSecret.test(path)) return true
  const plain = withoutPositions(path)
  return secretPaths.some((secret) => {
    const other = withoutPositions(secret)
    return plain === other || plain.startsWith(`${other}.`) || other.startsWith(`${plain}.`)
  })
}

const withoutPositions = (path: string): string =>
  path
    .split('.')
    .filter((part) => !/^(\d+|\*|\[.*\])$/.test(part))
    .join('.')
