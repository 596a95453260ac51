import { realFiles, type SpoolFiles } from '../src/delivery/spool-files.ts'

type Call = 'append' | 'datasync' | 'truncate' | 'open' | 'readFile' | 'readdir' | 'rename' | 'rm'

/** An error of the file system. */
export const failure = (code: string, call: string): Error => Object.assign(new Error(`${code}: ${call}`), { code })

export interface FailingFiles extends SpoolFiles {
  /** Calls that fail, with the code of their error, until they are taken out again. */
  readonly failing: Map<Call, string>
  /** Bytes that an append which fails still writes. */
  tornAfter: number
}

/** The real file system, which fails on demand. */
export function givenFailingFiles(): FailingFiles {
  const failing = new Map<Call, string>()
  const guard = (call: Call): void => {
    const code = failing.get(call)
    if (code !== undefined) throw failure(code, call)
  }
  const guarded =
    <A extends unknown[], T>(call: Call, work: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      guard(call)
      return work(...args)
    }
  const files: FailingFiles = {
    failing,
    tornAfter: 0,
    readdir: guarded('readdir', realFiles.readdir),
    readFile: guarded('readFile', realFiles.readFile),
    rename: guarded('rename', realFiles.rename),
    rm: guarded('rm', realFiles.rm),
    mkdir: (folder) => realFiles.mkdir(folder),
    async open(file, flags, mode) {
      if (flags !== 'r') guard('open')
      const handle = await realFiles.open(file, flags, mode)
      const append = handle.appendFile.bind(handle)
      handle.appendFile = async (data) => {
        if (failing.has('append')) await append(String(data).slice(0, files.tornAfter))
        guard('append')
        return append(data)
      }
      handle.datasync = guarded('datasync', handle.datasync.bind(handle))
      handle.truncate = guarded('truncate', handle.truncate.bind(handle))
      return handle
    },
  }
  return files
}
