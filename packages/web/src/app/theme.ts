import { storedChoice } from './stored-choice.ts'

const theme = storedChoice('vedette-theme', ['system', 'light', 'dark'])
export type Theme = ReturnType<typeof theme.read>

const prefersDark = matchMedia('(prefers-color-scheme: dark)')

export const useTheme = () => theme.use()

/** Puts the theme on the page and remembers it; `system` follows the device. */
export function chooseTheme(chosen: Theme): void {
  theme.choose(chosen)
  showTheme()
}

export function showTheme(): void {
  const chosen = theme.read()
  const dark = chosen === 'dark' || (chosen === 'system' && prefersDark.matches)
  document.documentElement.dataset['theme'] = dark ? 'dark' : 'light'
}

prefersDark.addEventListener('change', showTheme)
