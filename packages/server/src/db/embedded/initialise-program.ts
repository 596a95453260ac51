import { openDirectory } from './engine.ts'
import { faultText } from './fault-text.ts'

// A process of its own, which initialises the cluster in the directory that it is told and ends: see `initialiseDirectory`.
const directory = process.argv[2]
if (directory === undefined) throw new Error('The directory of the cluster is missing.')
try {
  const engine = await openDirectory(directory)
  await engine.close()
} catch (error) {
  process.stderr.write(faultText(error))
  process.exitCode = 1
}
