import { ADMIN_SCHEME } from './admin-token.guard.js';
import { API_KEY_SCHEME, BEARER_SCHEME } from './requires-scope.decorator.js';

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
  [ADMIN_SCHEME]: {
    type: 'http',
    scheme: 'bearer',
    description: 'The operator’s SUTURA_ADMIN_TOKEN. Without it the admin API is off.',
  },
} as const;
