/** A change that the embedded database made to its files. Paths are relative to its directory. */
export type DiskOperation =
  | { kind: 'create'; path: string; file: number }
  | { kind: 'mkdir'; path: string }
  | { kind: 'rename'; from: string; to: string }
  | { kind: 'remove'; path: string }
  | { kind: 'write'; file: number; at: number; bytes: Uint8Array }
  | { kind: 'truncate'; file: number; size: number }
  | { kind: 'sync'; file: number | undefined }
  | { kind: 'acknowledge'; row: number }
