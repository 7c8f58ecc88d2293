import { TenancyService } from '../../../core/organizations/tenancy.service.js';
import { Clock } from '../../../core/ports/clock.js';
import { SCOPES } from '../../../core/tenancy/api-key.js';
import type { CliReport } from '../../../platform/cli/cli-command.js';
import { factReport } from '../../../platform/cli/command-report.js';
import { onOrganization, onThing } from '../action/acts.js';
import { adminGroup } from '../action/admin-group.js';
import { ORGANIZATION_EXAMPLES } from './organizations.examples.js';
import { changeText, CREDENTIAL_CHANGE, KEY_ROTATION, NEW_KEY } from './tenancy.schema.js';
import {
  ISSUED_KEY_VIEW,
  KEY_VIEW,
  toIssuedKeyView,
  toKeyView,
  type IssuedKeyView,
  type KeyView,
} from './tenancy.views.js';

/** What a system that sends photos needs, and what else there is. */
const SCOPES_OF_A_WARD = SCOPES.slice(0, 3);
const SCOPES_BESIDES = SCOPES.slice(3);

const { action, group } = adminGroup({ tenancy: TenancyService, clock: Clock });

const create = action({
  name: 'createKey',
  route: 'POST /organizations/:organizationId/keys',
  does: 'Create an API key; its text is shown this once',
  who: 'integrator',
  body: NEW_KEY,
  example: { environment: 'test', scopes: ['images:write', 'analysis:write', 'analysis:read'] },
  status: 201,
  answers: ISSUED_KEY_VIEW,
  shows: ORGANIZATION_EXAMPLES.issuedKey,
  isSecret: true,
  refusals: ['organization.not_found', 'key.limit', 'key.live_not_allowed'],
  async run({ tenancy, clock, operator }, { expiresAt, allowedNetworks = [], namesPersons = false, ...input }) {
    const end = expiresAt === undefined ? null : new Date(expiresAt);
    const request = { ...input, expiresAt: end, allowedNetworks, namesPersons };
    return toIssuedKeyView(await tenancy.createKey(request, operator.rights), clock.now());
  },
  trail: {
    after(view, { scopes, allowedNetworks = [], namesPersons = false }) {
      const limits = {
        ...(allowedNetworks.length === 0 ? {} : { allowedNetworks }),
        ...(namesPersons ? { namesPersons } : {}),
      };
      const query = [`scopes=${scopes.join(',')}`, changeText(limits)].filter((part) => part !== '').join('&');
      return onThing('Device', view, '$create-key', 'C', query);
    },
  },
  command: {
    usage: `key create --org ID --env test|live --scopes ${SCOPES_OF_A_WARD.join()}[,${SCOPES_BESIDES.join()}] [--expires RFC3339] [--networks CIDR,…] [--persons on|off]`,
    says: 'Create an API key. Its text is shown this once. Networks: from where alone it may be used. Persons: it may name the person behind a request.',
    reads: { scopes: (text) => text.split(',').map((scope) => scope.trim()) },
    prints: describe,
  },
});

const list = action({
  name: 'listKeys',
  route: 'GET /organizations/:organizationId/keys',
  does: 'List the organization’s keys, ended ones included',
  who: 'viewer',
  lists: KEY_VIEW,
  shows: ORGANIZATION_EXAMPLES.key,
  refusals: ['organization.not_found'],
  async run({ tenancy, clock }, { organizationId }) {
    const now = clock.now();
    return (await tenancy.listKeys(organizationId)).map((record) => toKeyView(record, now));
  },
  trail: { after: (_, { organizationId }) => onOrganization(organizationId, '$list-keys', 'R') },
  command: {
    usage: 'key list --org ID',
    says: 'List an organization’s keys, ended ones included.',
    table: {
      KEY: ({ keyId }) => keyId,
      TEXT: ({ prefix, lastFour }) => `${prefix}…${lastFour}`,
      ENVIRONMENT: ({ environment }) => environment,
      STATE: ({ replacedBy, state }) => (replacedBy !== null && state === 'active' ? 'replaced' : state),
      SCOPES: ({ scopes }) => scopes.join(','),
      EXPIRES: ({ expiresAt }) => expiresAt ?? 'never',
      NETWORKS: (key) => limitsOf(key)['networks']!,
      PERSONS: (key) => limitsOf(key)['persons']!,
      'LAST USED': ({ lastUsedAt }) => lastUsedAt ?? 'never',
    },
  },
});

const rotate = action({
  name: 'rotateKey',
  route: 'POST /keys/:keyId/rotate',
  does: 'Replace a key; the old one works for overlapS more seconds',
  who: 'integrator',
  body: KEY_ROTATION.prefault({}),
  described: KEY_ROTATION,
  example: { overlapS: 3600 },
  status: 201,
  answers: ISSUED_KEY_VIEW,
  shows: ORGANIZATION_EXAMPLES.issuedKey,
  isSecret: true,
  refusals: ['key.not_found'],
  run: async ({ tenancy, clock, operator }, { keyId, overlapS }) =>
    toIssuedKeyView(await tenancy.rotateKey(keyId, overlapS, operator.rights), clock.now()),
  trail: {
    after: (view, { keyId, overlapS }) =>
      onThing('Device', view, '$rotate-key', 'U', `replaces=${keyId}&overlapS=${overlapS}`),
  },
  command: {
    usage: 'key rotate --key ID [--overlap-s SECONDS]',
    says: 'Replace a key. The old one works for the overlap, a day unless told otherwise.',
    prints: describe,
  },
});

const restrict = action({
  name: 'restrictKey',
  route: 'PATCH /keys/:keyId',
  does: 'Say from which networks a key may be used, and whether it may name the person behind a request; takes effect within 5 seconds',
  who: 'integrator',
  body: CREDENTIAL_CHANGE,
  example: { allowedNetworks: ['10.20.0.0/16'] },
  answers: KEY_VIEW,
  shows: { ...ORGANIZATION_EXAMPLES.key, allowedNetworks: ['10.20.0.0/16'] },
  refusals: ['key.not_found'],
  run: async ({ tenancy, clock, operator }, { keyId, ...change }) =>
    toKeyView(await tenancy.changeKey(keyId, change, operator.rights), clock.now()),
  trail: { after: (view, change) => onThing('Device', view, '$restrict-key', 'U', changeText(change)) },
  command: {
    usage: 'key set --key ID [--networks CIDR,…|none] [--persons on|off]',
    says: 'Say from which networks a key may be used, and whether it may name the person behind a request. Takes effect within 5 seconds; "none" is from anywhere.',
    facts: (view) => ({ 'key id': view.keyId, ...limitsOf(view) }),
  },
});

const revoke = action({
  name: 'revokeKey',
  route: 'DELETE /keys/:keyId',
  does: 'Revoke a key; it stops working within 5 seconds',
  who: 'integrator',
  refusals: ['key.not_found'],
  run: ({ tenancy }, { keyId }) => tenancy.revokeKey(keyId),
  // A revoked key stays revoked even if that cannot be recorded.
  trail: { after: (key) => onThing('Device', key, '$revoke-key', 'D') },
  command: {
    usage: 'key revoke --key ID',
    says: 'Revoke a key. It stops working within 5 seconds.',
    prints: (_, { keyId }) => ({ json: { keyId, state: 'revoked' }, text: `Key ${keyId} is revoked.` }),
  },
});

export const KEY_ACTIONS = group('KeysController', [create, list, rotate, restrict, revoke]);

function describe(view: IssuedKeyView): CliReport {
  const { keyId, key, environment, scopes, expiresAt } = view;
  const facts = { 'key id': keyId, key, environment, scopes: scopes.join(','), expires: expiresAt ?? 'never' };
  const { text } = factReport(view, { ...facts, ...limitsOf(view) });
  return { json: view, text: `${text}\n\nKeep the key now: it is not shown again.` };
}

function limitsOf({ allowedNetworks, namesPersons }: KeyView): Record<string, string> {
  return {
    networks: allowedNetworks.length === 0 ? 'any' : allowedNetworks.join(','),
    persons: namesPersons ? 'on' : 'off',
  };
}
