import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface Notice {
  url: string
  signInLink: string
  accountId: string
  /** Present at the very first start only. */
  apiKey: string | undefined
  dataDir: string
}

interface Output {
  isTTY?: boolean
  write(text: string): unknown
}

/**
 * Prints the address and how to sign in. The first key goes to a terminal, otherwise to a file only its owner can read.
 */
export async function tellReady(notice: Notice, output: Output): Promise<void> {
  const lines = [
    `Vedette is ready at ${notice.url}`,
    `  Sign in (works once, for 30 minutes): ${notice.signInLink}`,
    `  Account id: ${notice.accountId}`,
    ...(await keyLines(notice, output)),
    `  API reference: ${notice.url}/docs`,
    '  Stop with Ctrl-C.',
  ]
  output.write(`${lines.join('\n')}\n`)
}

async function keyLines({ apiKey, dataDir }: Notice, output: Output): Promise<string[]> {
  if (apiKey === undefined) return []
  if (output.isTTY) return [`  First API key (shown only now): ${apiKey}`]
  const file = join(dataDir, 'first-api-key')
  await writeFile(file, `${apiKey}\n`, { mode: 0o600 })
  await chmod(file, 0o600)
  return [`  First API key: in ${file}, readable by you alone`]
}
