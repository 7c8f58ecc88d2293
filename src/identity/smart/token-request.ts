import { SuturaError } from '../../core/errors/sutura-error.js';
import { narrowed, readSystemScope, RIGHTS, textOf, type SystemScope } from '../../core/tenancy/system-scopes.js';

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const LONGEST_SCOPE = 4096;

export interface TokenRequest {
  readonly assertion: string;
  /** As asked for, by spaces. */
  readonly scope: string;
}

/** A form by OAuth 2.0 (RFC 6749 4.4.2, RFC 7523 2.2). Unknown fields are ignored. `oauth.request`, `oauth.grant_type`. */
export function readTokenRequest(form: URLSearchParams): TokenRequest {
  const once = (name: string): string => {
    const values = form.getAll(name);
    if (values.length === 1 && values[0] !== '') return values[0]!;
    throw new SuturaError('oauth.request', {
      detail: `${name} is ${values.length > 1 ? 'there more than once' : 'missing'}.`,
    });
  };
  if (once('grant_type') !== 'client_credentials') throw new SuturaError('oauth.grant_type');
  const scope = once('scope');
  if (scope.length > LONGEST_SCOPE) throw new SuturaError('oauth.request', { detail: 'scope is too long.' });
  if (once('client_assertion_type') !== ASSERTION_TYPE)
    throw new SuturaError('oauth.request', { detail: `client_assertion_type must be ${ASSERTION_TYPE}.` });
  return { assertion: once('client_assertion'), scope };
}

export interface GrantedScopes {
  readonly grants: readonly SystemScope[];
  /** For the answer: a scope in the syntax that it was asked for in, where all of it is granted. */
  readonly text: string;
}

/** What of the asked scopes a client gets; scopes of other kinds, and those that it lacks, are left out. `oauth.scope` where none is left. */
export function grantScopes(asked: string, registered: readonly string[]): GrantedScopes {
  const held = registered.flatMap((text) => readSystemScope(text) ?? []);
  const grants: SystemScope[] = [];
  const texts = new Set<string>();
  for (const text of asked.split(' ').filter((part) => part !== '')) {
    const scope = readSystemScope(text);
    if (scope === null) continue;
    const granted = narrowed(scope, held);
    grants.push(...granted);
    const isWhole = granted.length === 1 && textOf(granted[0]!) === textOf(scope);
    for (const part of isWhole && isLegacy(text) ? [text] : granted.map(textOf)) texts.add(part);
  }
  if (grants.length === 0)
    throw new SuturaError('oauth.scope', {
      detail: `None of the scopes that were asked for is registered for this client. It has: ${registered.join(' ')}.`,
    });
  return { grants: merged(grants), text: [...texts].join(' ') };
}

function isLegacy(text: string): boolean {
  return /\.(?:read|write|\*)$/.test(text);
}

/** One scope for each type. */
function merged(grants: readonly SystemScope[]): SystemScope[] {
  return [...new Set(grants.map(({ type }) => type))].map((type) => ({
    type,
    rights: RIGHTS.filter((right) => grants.some((grant) => grant.type === type && grant.rights.includes(right))),
  }));
}
