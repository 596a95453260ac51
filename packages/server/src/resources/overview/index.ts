export { overviewRoutes, type OverviewDeps } from './routes.ts'
export { uptimeHours, type UptimeHours } from './uptime/uptime-hours.ts'
