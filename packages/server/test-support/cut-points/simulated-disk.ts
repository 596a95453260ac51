import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DiskOperation } from './disk-operation.ts'

type DataOperation = Extract<DiskOperation, { kind: 'write' | 'truncate' }>
type NameOperation = Extract<DiskOperation, { kind: 'create' | 'mkdir' | 'rename' | 'remove' }>

/** Decides which unsynced changes survive the power cut. */
export interface Survival {
  data(operation: DataOperation): boolean
  /** How many of the unsynced changes of names survive; always the first ones. */
  names(pending: number): number
}

interface Tree {
  directories: Set<string>
  files: Map<string, number>
}

const grown = (content: Buffer, size: number): Buffer =>
  size <= content.length ? content : Buffer.concat([content, Buffer.alloc(size - content.length)])

/** Changes the content in place unless it grows. */
function applyData(content: Buffer, operation: DataOperation): Buffer {
  if (operation.kind === 'truncate') {
    return operation.size <= content.length ? content.subarray(0, operation.size) : grown(content, operation.size)
  }
  const fitting = grown(content, operation.at + operation.bytes.length)
  fitting.set(operation.bytes, operation.at)
  return fitting
}

function applyName(tree: Tree, operation: NameOperation): void {
  if (operation.kind === 'mkdir') tree.directories.add(operation.path)
  if (operation.kind === 'create') tree.files.set(operation.path, operation.file)
  if (operation.kind === 'remove') {
    tree.files.delete(operation.path)
    tree.directories.delete(operation.path)
  }
  if (operation.kind === 'rename') {
    const file = tree.files.get(operation.from)
    if (file === undefined) throw new Error(`${operation.from} was renamed before it was made.`)
    tree.files.delete(operation.from)
    tree.files.set(operation.to, file)
  }
}

/**
 * A disk that separates synced from unsynced changes. The model is a journalling file system: content is certain to be
 * on the disk after an fsync of that file; changes of names are, in their order, after any later fsync.
 */
export class SimulatedDisk {
  readonly #tree: Tree
  readonly #durable = new Map<number, Buffer>()
  readonly #pendingData = new Map<number, DataOperation[]>()
  #pendingNames: NameOperation[] = []

  /** Starts from an existing directory, all of it durable; `files` numbers its files. */
  constructor(directory: string, files: ReadonlyMap<string, number>) {
    const entries = readdirSync(directory, { recursive: true, withFileTypes: true })
    const folders = entries.filter((entry) => entry.isDirectory())
    const paths = folders.map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    this.#tree = { directories: new Set(paths), files: new Map(files) }
    for (const [path, file] of files) this.#durable.set(file, readFileSync(join(directory, path)))
  }

  apply(operation: DiskOperation): void {
    if (operation.kind === 'acknowledge') return
    if (operation.kind === 'sync') this.#sync(operation.file)
    else if (operation.kind === 'write' || operation.kind === 'truncate') {
      const pending = this.#pendingData.get(operation.file)
      if (pending) pending.push(operation)
      else this.#pendingData.set(operation.file, [operation])
    } else this.#pendingNames.push(operation)
  }

  #sync(file: number | undefined): void {
    for (const operation of this.#pendingNames) applyName(this.#tree, operation)
    this.#pendingNames = []
    if (file === undefined) return
    const pending = this.#pendingData.get(file) ?? []
    this.#durable.set(file, pending.reduce(applyData, this.#contentOf(file)))
    this.#pendingData.delete(file)
  }

  #contentOf(file: number): Buffer {
    return this.#durable.get(file) ?? Buffer.alloc(0)
  }

  /** Writes the files that are left after a power cut now. */
  writeTo(directory: string, survival: Survival): void {
    const tree = { directories: new Set(this.#tree.directories), files: new Map(this.#tree.files) }
    const named = survival.names(this.#pendingNames.length)
    for (const operation of this.#pendingNames.slice(0, named)) applyName(tree, operation)
    mkdirSync(directory, { recursive: true })
    for (const path of tree.directories) mkdirSync(join(directory, path), { recursive: true })
    for (const [path, file] of tree.files) {
      const surviving = (this.#pendingData.get(file) ?? []).filter((operation) => survival.data(operation))
      const content = this.#contentOf(file)
      writeFileSync(
        join(directory, path),
        surviving.length > 0 ? surviving.reduce(applyData, Buffer.from(content)) : content,
      )
    }
  }
}
