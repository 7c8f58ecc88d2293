import { z } from 'zod';
import { ROLES, type Role } from '../../../core/tenancy/roles.js';
import { variable } from '../variable.js';
import { httpUrl, onOrOff } from '../value-schemas.js';

/** https; plain http for this machine itself alone, as tokens go over it. */
const issuer = httpUrl.refine(
  (text) => text.startsWith('https:') || /^http:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(?=[:/]|$)/i.test(text),
  { error: 'must begin with https://' },
);

const RULE = new RegExp(`^([^=,]{1,255})=(?:(${ROLES.join('|')})@([0-9a-f-]{36})|(installation-admin))$`);
const NOT_A_RULE = 'each must be VALUE=ROLE@ORGANIZATION or VALUE=installation-admin';

/** What each value of the role claim gives. */
const roleRules = z
  .string()
  .default('')
  .transform((text) => text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()])))
  .pipe(z.array(z.string().regex(RULE, { error: NOT_A_RULE })))
  .transform((parts) =>
    parts.map((part) => {
      const [, value = '', role, organizationId = ''] = RULE.exec(part)!;
      const gives = role === undefined ? ('installation-admin' as const) : { role: role as Role, organizationId };
      return { value, gives };
    }),
  );

/** People who log in by the hospital's identity provider. */
export const PEOPLE_SECTIONS = {
  console: {
    isOn: variable('SUTURA_CONSOLE', 'Serve the console and the review desk; off: they do not exist', onOrOff),
  },
  oidc: {
    issuer: variable(
      'SUTURA_OIDC_ISSUER',
      'Identity provider (OpenID Connect) by which users of the admin API may log in; absent: by password alone',
      issuer.optional(),
    ),
    clientId: variable('SUTURA_OIDC_CLIENT_ID', 'Client id of this service there', z.string().optional()),
    clientSecret: variable(
      'SUTURA_OIDC_CLIENT_SECRET',
      'Its secret, for client_secret_basic; absent: a public client, by PKCE alone',
      z.string().optional(),
    ),
    scopes: variable('SUTURA_OIDC_SCOPES', 'Scopes that are asked for', z.string().default('openid profile')),
    nameClaim: variable(
      'SUTURA_OIDC_NAME_CLAIM',
      'Claim of the ID token that the name of a new user is taken from',
      z.string().default('preferred_username'),
    ),
    roleClaim: variable(
      'SUTURA_OIDC_ROLE_CLAIM',
      'Claim of the ID token with the values that SUTURA_OIDC_ROLES names; a dot leads into an object, as in realm_access.roles',
      z.string().default('roles'),
    ),
    roles: variable(
      'SUTURA_OIDC_ROLES',
      'What the values give, by commas: VALUE=ROLE@ORGANIZATION, VALUE=installation-admin; nobody else gets in',
      roleRules,
    ),
    returnTo: variable(
      'SUTURA_OIDC_RETURN_TO',
      'Path of this service that the browser is sent to after the login; without the console, `/admin/v1/session` says who is logged in',
      z
        .string()
        .regex(/^\/(?![/\\])[\x21-\x7e]*$/, { error: 'must be a path that begins with /' })
        .default('/console'),
    ),
  },
} as const;
