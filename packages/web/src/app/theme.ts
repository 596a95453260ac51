export type Theme = 'light' | 'dark' | 'system'

const key = 'vedette-theme'
const prefersDark = matchMedia('(prefers-color-scheme: dark)')

export function chosenTheme(): Theme {
  const stored = localStorage.getItem(key)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

/** Puts the theme on the page and remembers it; `system` follows the device. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(key)
  else localStorage.setItem(key, theme)
  showTheme()
}

export function showTheme(): void {
  const theme = chosenTheme()
  const dark = theme === 'dark' || (theme === 'system' && prefersDark.matches)
  document.documentElement.dataset['theme'] = dark ? 'dark' : 'light'
}

prefersDark.addEventListener('change', showTheme)
