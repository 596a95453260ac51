import { open, readdir, readFile, rename, rm, type FileHandle } from 'node:fs/promises'
import { makeDirectory } from '@vedette/checks/process'

/** What the spool needs of the file system. */
export interface SpoolFiles {
  mkdir: (folder: string) => Promise<void>
  open: (file: string, flags: string, mode?: number) => Promise<FileHandle>
  readdir: (folder: string) => Promise<string[]>
  readFile: (file: string) => Promise<Buffer>
  rename: (from: string, to: string) => Promise<void>
  /** Succeeds also when the file is not there. */
  rm: (file: string) => Promise<void>
}

export const realFiles: SpoolFiles = {
  mkdir: makeDirectory,
  open: (file, flags, mode) => open(file, flags, mode),
  readdir: (folder) => readdir(folder),
  readFile: (file) => readFile(file),
  rename: (from, to) => rename(from, to),
  rm: (file) => rm(file, { force: true }),
}

/** Trouble of the process or the moment, not of the file: the same call may succeed later. */
const passing = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EINTR', 'EBUSY'])

/** Trouble of the disk, which may be mended while the agent works. Other errors are a wrong setting. */
const ofTheDisk = new Set([...passing, 'ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EFBIG', 'ESTALE'])

export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

export const isPassing = (error: unknown): boolean => passing.has(errorCode(error) ?? '')
export const isOfTheDisk = (error: unknown): boolean => ofTheDisk.has(errorCode(error) ?? '')
