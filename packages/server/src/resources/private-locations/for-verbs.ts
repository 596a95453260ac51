export { shownProxy } from './proxy-address.ts'
export { listLocations } from './store.ts'
export { openedProxy } from './to-location.ts'
export { locationVerbs } from './write-location.ts'
