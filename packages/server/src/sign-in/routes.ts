import { throttle } from '../http/callers/throttle.ts'
import type { App } from '../http/build-http.ts'
import { joinRoutes } from './join-routes.ts'
import { linkRoute } from './link-route.ts'
import { oidcRoutes } from './oidc/oidc-routes.ts'
import type { OidcSettings } from './oidc/provider.ts'
import type { SignInOptions } from './open-session.ts'
import { ownSessionRoutes } from './own-session-routes.ts'
import { passwordRoutes } from './password-routes.ts'
import { secondFactorRoutes } from './second-factor-routes.ts'

/** Sign-in of users: sessions are stored on the server, the browser holds only an HttpOnly cookie. */
export function signInRoutes(app: App, options: SignInOptions & { oidc?: OidcSettings | undefined }): void {
  const gate = throttle({ now: () => options.clock.monotonic(), tries: 5, windowMs: 15 * 60_000 })
  passwordRoutes(app, options, gate)
  secondFactorRoutes(app, options, gate)
  linkRoute(app, options, gate)
  oidcRoutes(app, options, gate)
  joinRoutes(app, options, gate)
  ownSessionRoutes(app, options)
}
