import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
// @ts-expect-error -- a script without types
import { replaceFolder } from './replace-folder.mjs'

let parent: string
let target: string

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'replace-'))
  target = join(parent, 'dist')
  fill(target, 'old')
})
afterEach(() => rmSync(parent, { recursive: true }))

function fill(folder: string, text: string): void {
  mkdirSync(folder)
  writeFileSync(join(folder, 'index.js'), text)
}
const running = () => readFileSync(join(target, 'index.js'), 'utf8')

test('a program keeps its folder until the new one is complete, and nothing else is left behind', () => {
  writeFileSync(join(target, 'gone.js'), '')
  replaceFolder(target, (folder: string) => {
    fill(folder, 'new')
    expect(running()).toBe('old')
  })
  expect(running()).toBe('new')
  expect(existsSync(join(target, 'gone.js'))).toBe(false)
  expect(readdirSync(parent)).toEqual(['dist'])
})

test('a build that fails leaves what runs alone', () => {
  const build = () =>
    replaceFolder(target, (folder: string) => {
      fill(folder, 'half')
      throw new Error('no space left')
    })
  expect(build).toThrow('no space left')
  expect(running()).toBe('old')
  expect(readdirSync(parent)).toEqual(['dist'])
})

test('there may be none yet', () => {
  rmSync(target, { recursive: true })
  replaceFolder(target, (folder: string) => fill(folder, 'first'))
  expect(running()).toBe('first')
})
