import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { SyncNodeFs, type NodeFsModule, type OpenFile } from '../../src/db/embedded/sync-node-fs.ts'
import type { DiskOperation } from './disk-operation.ts'

interface Attributes {
  size?: number
}

interface NodeOperations {
  mknod: (parent: object, name: string, mode: number, device: number) => object
  rename: (node: object, directory: object, name: string) => void
  unlink: (parent: object, name: string) => void
  rmdir: (parent: object, name: string) => void
  setattr: (node: object, attributes: Attributes) => void
}

type Write = (file: OpenFile, ...data: [buffer: Uint8Array, offset: number, length: number, position: number]) => number

interface StreamOperations {
  open: (file: OpenFile & { flags: number }) => void
  write: Write
  setattr?: (file: OpenFile, attributes: Attributes) => void
  fsync?: (file: OpenFile) => number
}

interface RecordedModule {
  NODEFS: { node_ops: NodeOperations; stream_ops: StreamOperations; realPath(node: object): string }
  FS: { isDir(mode: number): boolean }
}

const truncateFlag = 0o1000

/** Records every change of the directory. Each file has a number that renames do not change. */
export class RecordingNodeFs extends SyncNodeFs {
  readonly operations: DiskOperation[] = []
  readonly #root: string
  readonly #files = new Map<string, number>()
  readonly #open = new Map<number, number>()
  #next = 0

  constructor(directory: string) {
    super(directory)
    this.#root = directory
    for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) this.#files.set(relative(directory, join(entry.parentPath, entry.name)), this.#next++)
    }
  }

  /** Numbers of the existing files, by path. */
  get files(): ReadonlyMap<string, number> {
    return this.#files
  }

  protected override install(module: NodeFsModule): void {
    super.install(module)
    const recorded = module as unknown as RecordedModule
    this.#recordNames(recorded)
    this.#recordAttributes(recorded)
    this.#recordStreams(recorded)
  }

  #pathOf({ NODEFS }: RecordedModule, node: object): string {
    return relative(this.#root, NODEFS.realPath(node))
  }

  #fileAt(path: string): number {
    const file = this.#files.get(path)
    if (file === undefined) throw new Error(`${path} was changed before it was made.`)
    return file
  }

  #recordNames(module: RecordedModule): void {
    const names = module.NODEFS.node_ops
    const { mknod, rename, unlink, rmdir } = names
    names.mknod = (parent, name, mode, device) => {
      const node = mknod(parent, name, mode, device)
      this.#made(this.#pathOf(module, node), module.FS.isDir(mode))
      return node
    }
    names.rename = (node, directory, name) => {
      const from = this.#pathOf(module, node)
      const to = join(this.#pathOf(module, directory), name)
      rename(node, directory, name)
      this.#renamed(from, to)
    }
    names.unlink = (parent, name) => {
      unlink(parent, name)
      this.#removed(join(this.#pathOf(module, parent), name))
    }
    names.rmdir = (parent, name) => {
      rmdir(parent, name)
      this.#removed(join(this.#pathOf(module, parent), name))
    }
  }

  #made(path: string, isDirectory: boolean): void {
    if (isDirectory) {
      this.operations.push({ kind: 'mkdir', path })
      return
    }
    this.#files.set(path, this.#next)
    this.operations.push({ kind: 'create', path, file: this.#next++ })
  }

  #renamed(from: string, to: string): void {
    const file = this.#files.get(from)
    if (file === undefined) throw new Error(`The directory ${from} was renamed, which the model does not know.`)
    this.#files.delete(from)
    this.#files.set(to, file)
    this.operations.push({ kind: 'rename', from, to })
  }

  #removed(path: string): void {
    this.#files.delete(path)
    this.operations.push({ kind: 'remove', path })
  }

  #recordAttributes(module: RecordedModule): void {
    const { node_ops: nodes, stream_ops: streams } = module.NODEFS
    const ofNode = nodes.setattr
    nodes.setattr = (node, attributes) => {
      ofNode(node, attributes)
      if (attributes.size !== undefined) this.#truncated(this.#fileAt(this.#pathOf(module, node)), attributes.size)
    }
    const ofStream = streams.setattr
    if (!ofStream) return
    streams.setattr = (file, attributes) => {
      ofStream(file, attributes)
      if (attributes.size !== undefined) this.#truncated(this.#openFile(file), attributes.size)
    }
  }

  #truncated(file: number, size: number): void {
    this.operations.push({ kind: 'truncate', file, size })
  }

  #openFile({ nfd }: OpenFile): number {
    const file = nfd === undefined ? undefined : this.#open.get(nfd)
    if (file === undefined) throw new Error('A file was written that was never opened.')
    return file
  }

  #recordStreams(module: RecordedModule): void {
    const streams = module.NODEFS.stream_ops
    const { open, write, fsync } = streams
    streams.open = (file) => {
      open(file)
      const known = this.#files.get(this.#pathOf(module, file.node))
      if (file.nfd === undefined) return
      if (known === undefined) {
        this.#open.delete(file.nfd)
        return
      }
      this.#open.set(file.nfd, known)
      if (file.flags & truncateFlag) this.#truncated(known, 0)
    }
    streams.write = (file, ...data) => {
      const [buffer, offset, , position] = data
      const written = write(file, ...data)
      const bytes = new Uint8Array(buffer.buffer, buffer.byteOffset + offset, written).slice()
      this.operations.push({ kind: 'write', file: this.#openFile(file), at: position, bytes })
      return written
    }
    streams.fsync = (file) => {
      const outcome = fsync?.(file) ?? 0
      const synced = file.nfd === undefined ? undefined : this.#open.get(file.nfd)
      if (outcome === 0) this.operations.push({ kind: 'sync', file: synced })
      return outcome
    }
  }
}
