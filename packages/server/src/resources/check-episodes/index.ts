export { checkEpisodeRoutes } from './routes.ts'
