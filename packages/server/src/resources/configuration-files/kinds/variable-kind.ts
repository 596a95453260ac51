import { secretMask } from '@vedette/checks'
import { variableCreate } from '@vedette/wire'
import { invalidField } from '../../../api-error.ts'
import type { ApiDeps } from '../../api-deps.ts'
import { readSecretValues, variableStore, variableVerbs } from '../../variables/for-verbs.ts'
import type { Entry, FileKind, Held } from '../file-kind.ts'
import { inOrder } from '../shortened.ts'
import { parsed, textAt } from './parsed.ts'

const short = ({ key, value, locked, secret }: { key: string; value: string; locked?: boolean; secret?: boolean }) =>
  inOrder({ key, value, ...(locked === true && { locked }), ...(secret === true && { secret }) }) as Entry

export function variableKind(deps: ApiDeps): FileKind {
  const store = variableStore(deps.vault)
  const verbs = variableVerbs(deps)
  return {
    kind: 'variable',
    section: 'variables',
    title: 'variable',
    nameField: 'key',
    nameOf: (entry) => textAt(entry, 'key'),
    async read({ client, account }) {
      const all = { limit: Number.MAX_SAFE_INTEGER, offset: 0 }
      const { variables } = await store.list(client, { account, search: undefined }, all)
      const values = await readSecretValues(client, deps.vault, account)
      return variables.map(({ key, value, locked, secret }): Held => {
        const hidden = values.get(key)
        const secrets = new Map(secret && hidden !== undefined ? [['value', hidden]] : [])
        return { id: key, name: key, entry: short({ key, value: value ?? secretMask, locked, secret }), secrets }
      })
    },
    canonical(entry, held) {
      const { key, value, locked = false, secret = false } = parsed(variableCreate, entry, ['value'])
      if (held?.entry['secret'] === true && !secret)
        throw invalidField('secret', 'must be true: a secret variable stays secret; delete it first')
      return short({ key, value, locked, secret })
    },
    secretPaths: ({ secret }) => (secret === true ? ['value'] : []),
    async create(ctx, entry) {
      const { key } = await verbs.create(ctx, parsed(variableCreate, entry, ['value']))
      return key
    },
    change(ctx, { entry }) {
      const { key, locked = false, ...rest } = parsed(variableCreate, entry, ['value'])
      return verbs.update(ctx, key, { ...rest, locked })
    },
    remove: (ctx, { name }) => verbs.remove(ctx, name),
  }
}
