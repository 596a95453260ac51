import { runQueueContract, contractLeaseMs } from '../../test-support/queue-contract/index.ts'
import { MemoryQueue } from './memory-queue.ts'

runQueueContract('the memory queue', (parts) => new MemoryQueue({ ...parts, leaseMs: contractLeaseMs }))
