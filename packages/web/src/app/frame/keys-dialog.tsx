import { Dialog } from '../../ui/dialog.tsx'

const keys = [
  ['Ctrl K', 'Go to a check, a page, an action'],
  ['/', 'Search checks'],
  ['c', 'Create a check'],
  ['j / k', 'Next or previous check in the list'],
  ['x', 'Select the check, Shift for all up to it'],
  ['?', 'Show these keys'],
] as const

/** The keys of the app. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog isOpen onClose={onClose} title="Keys">
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
        {keys.map(([key, meaning]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="rounded border border-line bg-sunken px-1.5 py-0.5 font-sans text-sm">{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 text-sm text-ink-soft">Shortcuts of one letter can be switched off under Settings.</p>
    </Dialog>
  )
}
