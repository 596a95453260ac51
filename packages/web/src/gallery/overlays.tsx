import { Copy, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog, Sheet } from '../ui/dialog.tsx'
import { Menu, MenuChoice, MenuDivider, MenuItem } from '../ui/menu.tsx'
import { Picker } from '../ui/picker.tsx'
import { toast, toastUndo } from '../ui/toast.ts'
import { Tip } from '../ui/tooltip.tsx'
import { Sample } from './sample.tsx'

/** What opens over the page. */
export function Overlays() {
  const [open, setOpen] = useState<'dialog' | 'sheet'>()
  const [theme, setTheme] = useState<'light' | 'dark'>('light')
  return (
    <>
      <Sample name="Menu">
        <Menu align="start" trigger={<Button>Menu</Button>}>
          <MenuItem icon={<Copy />} onSelect={() => undefined}>
            Copy link
          </MenuItem>
          <MenuItem disabled onSelect={() => undefined}>
            Disabled
          </MenuItem>
          <MenuChoice
            label="Theme"
            value={theme}
            onChoose={setTheme}
            choices={[
              { value: 'light', label: 'Light' },
              { value: 'dark', label: 'Dark' },
            ]}
          />
          <MenuDivider />
          <MenuItem isDanger icon={<Trash2 />} onSelect={() => undefined}>
            Delete
          </MenuItem>
        </Menu>
      </Sample>
      <Sample name="Dialog and sheet">
        <Button onClick={() => setOpen('dialog')}>Dialog</Button>
        <Button onClick={() => setOpen('sheet')}>Sheet</Button>
        <Dialog isOpen={open === 'dialog'} onClose={() => setOpen(undefined)} title="A dialog">
          Escape closes it.
        </Dialog>
        <Sheet isOpen={open === 'sheet'} onClose={() => setOpen(undefined)} title="A sheet">
          Details beside the page.
        </Sheet>
      </Sample>
      <Sample name="Picker">
        <Picker
          trigger={<Button>Picker</Button>}
          label="Insert a variable"
          placeholder="Name or meaning"
          items={[
            { id: 'ALERT_TITLE', label: 'ALERT_TITLE', detail: 'What happened, in one line.' },
            { id: 'CHECK_NAME', label: 'CHECK_NAME', detail: 'Name of the check.' },
          ]}
          onPick={({ label }) => toast(`Picked ${label}.`)}
        />
      </Sample>
      <Sample name="Toast">
        <Button onClick={() => toastUndo('Deleted Front page.', () => toast('Taken back.'))}>With undo</Button>
        <Button onClick={() => toast('The key is revoked.')}>Done</Button>
        <Button onClick={() => toast('The server did not answer.', 'fault')}>Fault</Button>
      </Sample>
      <Sample name="Tooltip">
        <Tip text="A word of explanation">
          <Button>Rest the pointer here</Button>
        </Tip>
      </Sample>
    </>
  )
}
