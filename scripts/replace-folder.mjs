// Puts a folder in the place of another one that programs may be running from. Node built-ins only.
import { renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * Calls `make` with the path of a folder beside `target`, and puts what it made there in the place of `target`. Until then,
 * and when `make` fails, the old one stays as it was. Of two processes that do this at once the first one's folder stays.
 */
export function replaceFolder(target, make) {
  const fresh = join(dirname(target), `.${basename(target)}-${process.pid}`)
  const old = `${fresh}-old`
  const clean = () => [fresh, old].forEach((folder) => rmSync(folder, { recursive: true, force: true }))
  // A step of a build that fails ends the process.
  process.once('exit', clean)
  try {
    make(fresh)
    moveUnless('ENOENT', target, old)
    moveUnless('ENOTEMPTY', fresh, target)
  } finally {
    process.off('exit', clean)
    clean()
  }
}

/** Moves a folder, unless that fails because another process was faster. */
function moveUnless(beaten, from, to) {
  try {
    renameSync(from, to)
  } catch (error) {
    if (error.code !== beaten) throw error
  }
}
