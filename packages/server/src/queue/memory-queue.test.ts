import { runQueueContract, contractLeaseMs } from '../../test-support/queue-contract.ts'
import { MemoryQueue } from './memory-queue.ts'

runQueueContract('the memory queue', (clock, onLost) => new MemoryQueue({ clock, onLost, leaseMs: contractLeaseMs }))
