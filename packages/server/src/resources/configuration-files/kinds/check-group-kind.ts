import { secretsOf } from '@vedette/checks'
import { checkGroupCreate, checkGroupUpdate, newCheckGroup, type CheckGroup } from '@vedette/wire'
import { z } from 'zod'
import { groupSecrets, openGroup } from '../../../settings/group-store.ts'
import type { ApiDeps } from '../../api-deps.ts'
import { groupVerbs, listGroups, mergeGroup, toGroups } from '../../check-groups/for-verbs.ts'
import type { Entry, FileKind, NamedIds } from '../file-kind.ts'
import { inOrder, shortened } from '../shortened.ts'
import { apiFieldOf, idsOf, namedFields, namesOf, refuseApiFields, shortNamed } from './named-references.ts'
import { ifValid, parsed, textAt } from './parsed.ts'

const { group: _, parents: _parents, ...groupNamed } = namedFields
const named = z.object(groupNamed)

const ownFields = ({
  setupSnippet: _setup,
  tearDownSnippet: _tearDown,
  alertChannels: _channels,
  ...own
}: Entry): Entry => own

const complete = (own: Entry): Entry => {
  const {
    setupSnippetId: _setup,
    tearDownSnippetId: _tearDown,
    ...whole
  } = mergeGroup(newCheckGroup(2), parsed(checkGroupCreate, own, groupSecrets.secretPaths))
  return { ...whole }
}

function heldEntry(group: CheckGroup, names: NamedIds): Entry {
  const { id: _id, created_at: _created, updated_at: _updated, alertChannelSubscriptions, ...rest } = group
  const { setupSnippetId, tearDownSnippetId, ...own } = rest
  const references = namesOf({ setupSnippetId, tearDownSnippetId, alertChannelSubscriptions }, names)
  return inOrder({ ...shortened(own, ifValid(complete)), ...references }) as Entry
}

export function checkGroupKind(deps: ApiDeps): FileKind {
  const verbs = groupVerbs(deps)
  const sentOf = (entry: Entry, names: NamedIds): Entry => {
    const { groupId: _group, parentCheckIds: _none, ...ids } = idsOf(parsed(named, entry), names)
    return { ...complete(ownFields(entry)), ...ids }
  }
  return {
    kind: 'checkGroup',
    section: 'checkGroups',
    title: 'check group',
    nameField: 'name',
    nameOf: (entry) => textAt(entry, 'name')?.trim(),
    async read({ client, account, names }) {
      const { groups } = await listGroups(
        client,
        { account, filter: { tags: [], names: [] } },
        { limit: Number.MAX_SAFE_INTEGER, offset: 0 },
      )
      const answers = await toGroups(client, groups)
      return groups.flatMap((row, index) => {
        const group = answers[index]
        if (!group) return []
        const secrets = secretsOf(groupSecrets, { ...openGroup(deps.vault, account, row) })
        const kept = [...secrets].filter(([, value]) => value !== '')
        return { id: row.id, name: group.name, entry: heldEntry(group, names), secrets: new Map(kept) }
      })
    },
    canonical(entry) {
      refuseApiFields(entry)
      const references = shortNamed(parsed(named, entry))
      return inOrder({ ...shortened(complete(ownFields(entry)), ifValid(complete)), ...references }) as Entry
    },
    secretPaths: (entry) =>
      [...secretsOf(groupSecrets, entry)].filter(([, value]) => value !== '').map(([path]) => path),
    requireNamed: (entry, names) => idsOf(parsed(named, entry), names),
    async create(ctx, entry, names) {
      const sent = parsed(checkGroupCreate, sentOf(entry, names), groupSecrets.secretPaths)
      return (await verbs.create(ctx, { version: 2, sent, autoAssignAlerts: false })).group.id
    },
    change(ctx, { held, entry, fields }, names) {
      const sent = sentOf(entry, names)
      const changed = new Set([...fields].map((field) => apiFieldOf[field] ?? field))
      const some = Object.fromEntries(Object.entries(sent).filter(([field]) => changed.has(field)))
      const update = parsed(checkGroupUpdate, some, groupSecrets.secretPaths)
      return verbs.update(ctx, Number(held.id), { sent: update, autoAssignAlerts: undefined })
    },
    remove: (ctx, { id }) => verbs.remove(ctx, Number(id)),
  }
}
