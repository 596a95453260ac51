import { z } from 'zod'

/** Kinds of files that results may have. */
export const assetTypes = ['log', 'trace', 'video', 'screenshot', 'pcap', 'report', 'file'] as const
export type AssetType = (typeof assetTypes)[number]

/** Names of the files that runs of network checks may have. */
export const networkAssets = { traceroute: 'traceroute.json', capture: 'capture.pcap' } as const

const assetEntry = z
  .object({
    type: z.enum(assetTypes),
    name: z.string().min(1),
    url: z.url().describe('Where its content is read, with the same key or session.'),
    contentType: z.string().min(1),
    source: z
      .object({
        type: z.enum(['check-result', 'test-session-result']),
        checkId: z.uuid(),
        checkName: z.string().min(1),
        checkType: z.string().min(1),
        resultId: z.uuid(),
        testSessionId: z.uuid().optional().describe('Of results of test sessions.'),
      })
      .describe('The result that it belongs to.'),
    archive: z
      .object({ entryName: z.string().min(1) })
      .optional()
      .describe('Where the content is an archive: the entry that is meant.'),
  })
  .meta({ id: 'AssetManifestEntry' })

/** The files of a result. Source: reference, "AssetManifest". */
export const assetManifest = z
  .object({
    assets: z.array(assetEntry),
    truncated: z.boolean().describe('There are more than are listed.'),
    entriesReturned: z.int().min(0),
    entriesTotal: z.int().min(0).describe('All that the filters let through.'),
  })
  .meta({ id: 'AssetManifest' })
export type AssetManifest = z.infer<typeof assetManifest>
