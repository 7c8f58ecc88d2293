import { SuturaError } from '../../../core/errors/sutura-error.js';
import { hasScope, type Caller } from '../../../core/tenancy/api-key.js';
import { isAllowed, type Right } from '../../../core/tenancy/system-scopes.js';
import { reachOf } from '../../../standards/fhir/types/type-access.js';

/** `auth.scope`. Keys need webhooks:manage; tokens a right of `system/Subscription`. */
export function permitSubscription(caller: Caller, right: Right): void {
  const isPermitted =
    caller.grants === undefined ? hasScope(caller, 'webhooks:manage') : isAllowed(caller.grants, 'Subscription', right);
  if (isPermitted) return;
  const lacks =
    caller.grants === undefined
      ? 'The key lacks the scope "webhooks:manage". Use a key that has it.'
      : `The token lacks the scope "system/Subscription.${right}". Ask for one that has it.`;
  throw new SuturaError('auth.scope', { detail: lacks });
}

/** `auth.scope` unless the caller may read the topic's resources. */
export function permitTopic(caller: Caller, type: string): void {
  if (reachOf(caller, type, 'read') === 'all') return;
  throw new SuturaError('auth.scope', {
    detail: `The topic tells of ${type}, which this caller may not read. Use a key or a token that may.`,
  });
}
