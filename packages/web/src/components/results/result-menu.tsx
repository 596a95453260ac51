import { checkTypeOf, valueAt, type CheckResult } from '@vedette/checks'
import { Copy, Ellipsis, Link2, Terminal } from 'lucide-react'
import { iconButtonLook } from '../../ui/icon-button-look.ts'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.ts'
import { curlOf } from './curl-of.ts'

/** What can be copied of a result. */
export function ResultMenu({ result }: { result: CheckResult }) {
  const type = checkTypeOf(result.checkType)
  const part = type && type.resultKey !== null ? valueAt(result, type.resultKey) : undefined
  const curl = curlOf(valueAt(part, 'request'))
  const copy = async (text: string, what: string) => {
    await navigator.clipboard.writeText(text)
    toast(`Copied ${what}.`)
  }
  return (
    <Menu
      trigger={
        <button type="button" aria-label="Copy" className={iconButtonLook}>
          <Ellipsis aria-hidden="true" className="size-4" />
        </button>
      }
    >
      <MenuItem icon={<Link2 />} onSelect={() => void copy(location.href, 'the link')}>
        Copy link
      </MenuItem>
      {curl !== undefined && (
        <MenuItem icon={<Terminal />} onSelect={() => void copy(curl, 'the request as a cURL command')}>
          Copy as cURL
        </MenuItem>
      )}
      <MenuItem icon={<Copy />} onSelect={() => void copy(JSON.stringify(result, null, 2), 'the result as JSON')}>
        Copy as JSON
      </MenuItem>
    </Menu>
  )
}
