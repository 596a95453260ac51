import { accountUpdate, completeAlertSettings } from '@vedette/wire'
import type { ApiDeps } from '../../api-deps.ts'
import { listAccounts, updateAccount } from '../../accounts/for-verbs.ts'
import type { Entry, FileKind } from '../file-kind.ts'
import { inOrder, shortened } from '../shortened.ts'
import { parsed } from './parsed.ts'

const schema = accountUpdate.pick({ alertSettings: true, defaultLocations: true })

const shortSettings = (settings: Entry): Entry => shortened(settings, (sent) => ({ ...completeAlertSettings(sent) }))

/** The settings of the account: always there, so they are only ever changed. */
export function accountKind(deps: ApiDeps): FileKind {
  return {
    kind: 'account',
    section: 'account',
    title: 'account',
    nameField: '',
    isSingle: true,
    nameOf: () => 'account',
    async read({ client, account }) {
      const [found] = await listAccounts(client, { accountId: account })
      if (!found) throw new Error(`There is no account ${account}.`)
      const { alertSettings, defaultLocations } = found
      const entry = { alertSettings: shortSettings({ ...alertSettings }), defaultLocations }
      return [{ id: account, name: 'account', entry, secrets: new Map() }]
    },
    canonical(entry, held) {
      const { alertSettings, defaultLocations } = parsed(schema, entry)
      return inOrder({
        ...held?.entry,
        ...(alertSettings && { alertSettings: shortSettings(alertSettings) }),
        ...(defaultLocations && { defaultLocations }),
      }) as Entry
    },
    secretPaths: () => [],
    change: (ctx, { entry, fields }) =>
      updateAccount(deps)(
        ctx,
        parsed(schema, Object.fromEntries(Object.entries(entry).filter(([field]) => fields.has(field)))),
      ),
  }
}
