/** How long an action can be taken back, or followed, in milliseconds. */
const undoMs = 10_000
const saidMs = 5000

/** A message about what was done. */
export interface ToastMessage {
  text: string
  look: 'done' | 'fault'
  /** Milliseconds until it goes away by itself; 0: it stays. */
  staysMs: number
  action?: { label: string; act: () => void }
}

type Show = (message: ToastMessage) => void

// The part that shows toasts loads after the page: what is said before waits here.
const waiting: ToastMessage[] = []
let show: Show = (message) => void waiting.push(message)

/** Says what was done, with a way to take it back for ten seconds. */
export function toastUndo(text: string, undo: () => void): void {
  show({ text, look: 'done', staysMs: undoMs, action: { label: 'Undo', act: undo } })
}

/** Says what was done, with what can be done next. */
export function toastNext(text: string, label: string, act: () => void): void {
  show({ text, look: 'done', staysMs: undoMs, action: { label, act } })
}

/** Says what was done, or why it was not. A fault stays until it is closed, or until something goes well. */
export function toast(text: string, look: ToastMessage['look'] = 'done'): void {
  show({ text, look, staysMs: look === 'fault' ? 0 : saidMs })
}

/** From now on messages are shown by `next`. */
export function showToastsWith(next: Show): void {
  show = next
  for (const message of waiting.splice(0)) next(message)
}
