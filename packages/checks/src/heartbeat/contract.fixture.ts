/** The smallest check a user can send. For the suite over all check types. */
export const leastCheck = () => ({
  name: 'least',
  heartbeat: { period: 60, periodUnit: 'seconds', grace: 10, graceUnit: 'seconds' },
})

/** Nothing is asked, so nothing answers. */
export const goodAnswer = { text: '', statusCode: null }
