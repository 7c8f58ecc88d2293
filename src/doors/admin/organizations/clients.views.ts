import { z } from 'zod';
import type { ClientRecord } from '../../../core/tenancy/client-record.js';
import { id, list, moment, owner } from '../action/answer-fields.js';
import { credentialLimits } from './tenancy.views.js';

/** Nothing of it is secret: its keys are public. */
export const CLIENT_VIEW = z.object({
  id,
  clientId: id.describe('As id: the client_id of its requests.'),
  ...owner,
  name: z.string(),
  scopes: list(z.string()),
  keyIds: list(z.string()).describe('The kid of each registered key; none where the keys are at an address.'),
  jwksUrl: z.string().nullable(),
  ...credentialLimits,
  state: z.enum(['active', 'revoked']),
  createdAt: moment,
  revokedAt: moment.nullable(),
});
export type ClientView = z.output<typeof CLIENT_VIEW>;

export function toClientView({ id: clientId, keys, createdAt, revokedAt, ...client }: ClientRecord): ClientView {
  return {
    id: clientId,
    clientId,
    ...client,
    keyIds: keys.kind === 'given' ? keys.keys.map(({ kid }) => String(kid)) : [],
    jwksUrl: keys.kind === 'address' ? keys.url : null,
    state: revokedAt === null ? 'active' : 'revoked',
    createdAt: createdAt.toISOString(),
    revokedAt: revokedAt?.toISOString() ?? null,
  };
}
