export { clientCertificateRoutes } from './routes.ts'
