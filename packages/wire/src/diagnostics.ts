import { z } from 'zod'

const address = z.string().min(1).max(100)
const ms = z.number().min(0).max(60_000)

const rttSchema = z.strictObject({ last_ms: ms, avg_ms: ms, best_ms: ms, worst_ms: ms, stddev_ms: ms })

const hopSchema = z.strictObject({
  hop_number: z.int().min(1).max(64),
  main_ip: address.nullable().describe('The router that answered most; null when none did.'),
  other_ips: z.array(address).max(10).describe('Others that answered at this distance.'),
  sent: z.int().min(0).max(100),
  received: z.int().min(0).max(100),
  loss_percentage: z.number().min(0).max(100),
  rtt: rttSchema.nullable().describe('Round trips in milliseconds; null without an answer.'),
})
/** One step on the way to a target. Names of its fields: those of other traceroute results of the API. */
export type TracerouteHop = z.infer<typeof hopSchema>

/** The way to a target, as an agent saw it after a run had failed. */
export const tracerouteSchema = z.strictObject({
  hostname: z.string().min(1).max(255).describe('As the check names it.'),
  resolvedIp: address.describe('The address that the run tried.'),
  protocol: z.enum(['TCP', 'ICMP']),
  port: z.int().min(1).max(65_535).nullable().describe('null with ICMP.'),
  startedAt: z.iso.datetime(),
  totalHops: z.int().min(0).max(64),
  destinationReached: z.boolean(),
  truncationReason: z
    .enum(['destinationReached', 'unreachable', 'maxHops', 'maxUnknownHops', 'timeout'])
    .describe('Why it ends with its last hop. unreachable: that router says that it leads no further.'),
  hops: z.array(hopSchema).max(64),
})
export type Traceroute = z.infer<typeof tracerouteSchema>

/** Most bytes of the packets of one run. */
export const captureLimit = 2 * 1024 * 1024
/** Of base64, as it travels. */
const captureTextLimit = Math.ceil(captureLimit / 3) * 4

/**
 * What an agent found out about a run that failed with network trouble, after its result. The lease says of which run; sent
 * again it changes nothing. A server that is older answers 404.
 */
export const diagnosticsRequest = z.strictObject({
  agentId: z.uuid(),
  lease: z.string().max(2000),
  traceroute: tracerouteSchema.optional(),
  /** A pcap file, base64. */
  capture: z.base64().max(captureTextLimit).optional(),
})
export type DiagnosticsRequest = z.infer<typeof diagnosticsRequest>

/** How long after the end of its run what was found out can be told, in milliseconds. */
export const diagnosticsLimitMs = 40_000
