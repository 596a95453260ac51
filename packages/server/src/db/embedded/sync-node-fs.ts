import fs from 'node:fs'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import type { PGlite } from '@electric-sql/pglite'

interface Stream {
  nfd?: number
  node: object
}

interface NodeFsModule {
  NODEFS: { stream_ops: { fsync?: (stream: Stream) => number }; realPath(node: object): string }
}

type Init = NodeFS['init']

const ioError = 29

function syncPath(path: string): void {
  const descriptor = fs.openSync(path, 'r')
  try {
    fs.fsyncSync(descriptor)
  } finally {
    fs.closeSync(descriptor)
  }
}

/**
 * PGlite's Node file system has no fsync: a commit would only reach the page cache. This one calls the real thing, for
 * files and directories, counts it, and keeps the first failure, after which nothing written may be acknowledged.
 */
export class SyncNodeFs extends NodeFS {
  syncs = 0
  failure: Error | undefined

  override async init(pg: PGlite, options: Parameters<Init>[1]): ReturnType<Init> {
    const result = await super.init(pg, options)
    const install = (module: unknown) => this.#install(module as NodeFsModule)
    result.emscriptenOpts.preRun = [...(result.emscriptenOpts.preRun ?? []), install]
    return result
  }

  #install({ NODEFS }: NodeFsModule): void {
    NODEFS.stream_ops.fsync = (stream) => {
      try {
        if (stream.nfd === undefined) syncPath(NODEFS.realPath(stream.node))
        else fs.fsyncSync(stream.nfd)
        this.syncs += 1
        return 0
      } catch (error) {
        this.failure ??= error as Error
        return ioError
      }
    }
  }
}
