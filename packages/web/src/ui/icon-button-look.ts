/** Classes of a square control with an icon alone. */
export const iconButtonLook =
  'inline-flex size-control shrink-0 items-center justify-center rounded-md text-ink-soft transition-colors hover:bg-sunken hover:text-ink disabled:cursor-not-allowed disabled:opacity-50 aria-pressed:bg-accent-wash aria-pressed:text-accent data-popup-open:bg-sunken'
