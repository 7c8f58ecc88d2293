/** The part of identity that the doors (api-v1, fhir, hl7v2) may import. */
export { RequiresKey, RequiresScope } from './guards/requires-scope.decorator.js';
export { AdminRoute, NeedsRole } from './guards/admin-route.decorator.js';
export { ADMIN_EXAMPLE_IDS, DescribesAdmin } from './guards/describes-admin.decorator.js';
export { IN_BODY, IN_PATH, IN_QUERY } from './guards/admin-access.js';
export { CurrentCaller } from './guards/caller-of-request.js';
export { CurrentOperator, CurrentSession, type HeldSession } from './guards/operator-of-request.js';
export { SECURITY_SCHEMES } from './guards/security-schemes.js';
export { PublicRoute } from '../platform/http/route-access.js';
export { tokenAddressOf } from './smart/smart-addresses.js';
export { csrfTokenOf, isSecure, requireCsrfToken, requireOwnSite } from './sessions/session-cookie.js';
export { FailedLoginThrottle } from './throttle/failed-login.throttle.js';
export { LaunchThrottle } from './throttle/launch.throttle.js';
export { ReadThrottle } from './throttle/read.throttle.js';
export { WriteThrottle } from './throttle/write.throttle.js';
export { KeyAuthenticator } from './keys/key-authenticator.js';
