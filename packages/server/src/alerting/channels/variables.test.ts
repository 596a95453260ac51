import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { sampleAlert, sampleMessage } from '../delivery/sample-alert.ts'
import { alertVariables } from './variables.ts'

const message = sampleMessage(sampleAlert(randomUUID(), 0), { variables: {}, baseUrl: '' })

it('the manual names every variable of an alert', async () => {
  const manual = await readFile(new URL('../../../../../docs/manual/alerts.md', import.meta.url), 'utf8')
  expect(Object.keys(alertVariables(message)).filter((name) => !manual.includes(`\`${name}\``))).toEqual([])
})
