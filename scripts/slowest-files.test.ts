import { expect, test } from 'vitest'
import { slowestFiles } from './slowest-files.ts'

test('the slowest files come first, with their share of all files, and no more than asked for', () => {
  const files = [
    { path: 'quick.test.ts', seconds: 0.5 },
    { path: 'slow.test.ts', seconds: 7.25 },
    { path: 'middling.test.ts', seconds: 2.25 },
  ]
  expect(slowestFiles(files, 2)).toEqual(['    7.3 s  73 %  slow.test.ts', '    2.3 s  23 %  middling.test.ts'])
})

test('files that took no time are no reason to divide by zero', () => {
  expect(slowestFiles([{ path: 'empty.test.ts', seconds: 0 }])).toEqual(['    0.0 s   0 %  empty.test.ts'])
})
