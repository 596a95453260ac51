import { spawnSync } from 'node:child_process'

/** Runs npm, the one that started this process where there is one, and answers whether it succeeded. */
export function npm(args, options = {}) {
  const cli = process.env.npm_execpath
  const [command, first] = cli ? [process.execPath, [cli]] : ['npm', []]
  return spawnSync(command, [...first, ...args], { stdio: 'inherit', ...options }).status === 0
}
