import type { ApiDeps } from '../../api-deps.ts'
import type { FileKind } from '../file-kind.ts'
import { accountKind } from './account-kind.ts'
import { alertChannelKind } from './alert-channel-kind.ts'
import { checkGroupKind } from './check-group-kind.ts'
import { checkKind } from './check-kind.ts'
import { privateLocationKind } from './private-location-kind.ts'
import { snippetKind } from './snippet-kind.ts'
import { variableKind } from './variable-kind.ts'

/** What is named comes before what names it. */
export const fileKindsOf = (deps: ApiDeps): FileKind[] => [
  accountKind(deps),
  variableKind(deps),
  snippetKind(deps),
  privateLocationKind(deps),
  alertChannelKind(deps),
  checkGroupKind(deps),
  checkKind(deps),
]
