import { ADMIN_SCHEME, SESSION_SCHEME } from './admin-route.decorator.js';
import { API_KEY_SCHEME, BASIC_SCHEME, BEARER_SCHEME } from './requires-scope.decorator.js';

/** For `components.securitySchemes` of the OpenAPI document; the decorators refer to these names. */
export const SECURITY_SCHEMES = {
  [BEARER_SCHEME]: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key: `Authorization: Bearer sut_test_…`. The scope that a route needs is listed with it.',
  },
  [API_KEY_SCHEME]: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'The same API key in a header of its own.',
  },
  [BASIC_SCHEME]: {
    type: 'http',
    scheme: 'basic',
    description: 'The same API key as the password, under any user name; for HL7 v2 engines.',
  },
  [ADMIN_SCHEME]: {
    type: 'http',
    scheme: 'bearer',
    description: 'SUTURA_ADMIN_TOKEN, for the first user. Once there is an installation admin it is refused.',
  },
  [SESSION_SCHEME]: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-sutura-session',
    description:
      'The session of a user, by POST /admin/v1/session; without https its name is sutura-session. A change also needs the header X-CSRF-Token. `x-sutura-role` of an operation is the role that it needs.',
  },
} as const;
