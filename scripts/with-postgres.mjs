// Starts a throw-away PostgreSQL, runs a command with TEST_DATABASE_URL set to it, stops it and removes its files.
// Usage: node scripts/with-postgres.mjs <command> [argument...]
import { spawn } from 'node:child_process'
import { ended, startPostgres } from './postgres.mjs'

async function runWith(url, [command, ...options]) {
  const child = spawn(command, options, { stdio: 'inherit', env: { ...process.env, TEST_DATABASE_URL: url } })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  const failed = new Promise((_, reject) => child.once('error', reject))
  return Promise.race([ended(child), failed])
}

const command = process.argv.slice(2)
if (command.length === 0) {
  console.error('Usage: node scripts/with-postgres.mjs <command> [argument...]')
  process.exit(2)
}
try {
  const postgres = await startPostgres()
  try {
    process.exitCode = await runWith(postgres.url, command)
  } finally {
    await postgres.stop()
  }
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
