import fs from 'node:fs'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import type { PGlite } from '@electric-sql/pglite'

/** An open file as PGlite's file system sees it; `nfd` is its descriptor. Directories have none. */
export interface OpenFile {
  nfd?: number
  node: object
}

/** The parts of PGlite's Node file system that are replaced here. */
export interface NodeFsModule {
  NODEFS: { stream_ops: { fsync?: (file: OpenFile) => number }; realPath(node: object): string }
}

type Init = NodeFS['init']

const ioError = 29

/**
 * PGlite's Node file system has no fsync: a commit would only reach the page cache. This one syncs files and
 * directories, and counts the calls. A failed sync is reported to PostgreSQL, which panics.
 */
export class SyncNodeFs extends NodeFS {
  syncs = 0
  /** Called from inside the engine when it ends, before any call in progress returns. */
  onEnd: () => void = () => {}

  override async init(pg: PGlite, options: Parameters<Init>[1]): ReturnType<Init> {
    const result = await super.init(pg, options)
    const install = (module: unknown) => this.install(module as NodeFsModule)
    Object.assign(result.emscriptenOpts, { onAbort: () => this.onEnd(), onExit: () => this.onEnd() })
    result.emscriptenOpts.preRun = [...(result.emscriptenOpts.preRun ?? []), install]
    return result
  }

  protected sync(descriptor: number): void {
    fs.fsyncSync(descriptor)
  }

  protected install({ NODEFS }: NodeFsModule): void {
    NODEFS.stream_ops.fsync = (file) => {
      try {
        if (file.nfd === undefined) this.#syncPath(NODEFS.realPath(file.node))
        else this.sync(file.nfd)
        this.syncs += 1
        return 0
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === undefined) throw error
        return ioError
      }
    }
  }

  #syncPath(path: string): void {
    const descriptor = fs.openSync(path, 'r')
    try {
      this.sync(descriptor)
    } finally {
      fs.closeSync(descriptor)
    }
  }
}
