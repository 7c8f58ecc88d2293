import type { ErrorCode } from '../../core/errors/catalogue.js';
import type { SuturaError } from '../../core/errors/sutura-error.js';
import { problemHeaders, PROBLEM_STATUS } from '../../platform/http/problem.js';
import type { RenderedRefusal } from '../../platform/http/refusal-formats.js';

/** Error codes of RFC 6749 5.2; any other fault of a request is `invalid_request`. */
const OAUTH_ERRORS: Partial<Record<ErrorCode, string>> = {
  'oauth.grant_type': 'unsupported_grant_type',
  'oauth.client': 'invalid_client',
  'oauth.scope': 'invalid_scope',
  'auth.network': 'access_denied',
  'auth.person': 'access_denied',
  'rate.limited': 'temporarily_unavailable',
  'service.unavailable': 'temporarily_unavailable',
  'service.busy': 'temporarily_unavailable',
  'service.internal': 'server_error',
};
/** What a description may not have (RFC 6749 5.2). */
const NOT_DESCRIBED = /[^\x20-\x21\x23-\x5B\x5D-\x7E]/g;

/** A refusal of the token endpoint, as OAuth 2.0 has it, with this service's own code beside. */
export function renderOAuthRefusal(error: SuturaError, { requestId }: { readonly requestId: string }): RenderedRefusal {
  // A challenge is for clients that use the header Authorization; libraries show it instead of the error.
  const { 'www-authenticate': _challenge, ...headers } = problemHeaders(error);
  return {
    status: PROBLEM_STATUS[error.kind],
    headers: {
      ...headers,
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      pragma: 'no-cache',
    },
    body: JSON.stringify({
      error: OAUTH_ERRORS[error.code] ?? 'invalid_request',
      error_description: error.detail.replaceAll('"', "'").replaceAll('’', "'").replace(NOT_DESCRIBED, '?'),
      code: error.code,
      requestId,
    }),
  };
}
