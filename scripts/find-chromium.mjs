import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

/**
 * Path of a Chromium to drive: CHROMIUM_PATH, then what the system has, then Playwright's own. Undefined when there is
 * none.
 */
export function findChromium() {
  const candidates = [
    process.env.CHROMIUM_PATH,
    ...['chromium-headless-shell', 'chromium', 'google-chrome'].map(onPath),
    ownOfPlaywright(),
  ]
  return candidates.find((path) => path !== undefined && path !== '' && existsSync(path))
}

function onPath(name) {
  const { stdout } = spawnSync('which', [name], { encoding: 'utf8' })
  return stdout?.trim() || undefined
}

function ownOfPlaywright() {
  return chromium.executablePath() || undefined
}
