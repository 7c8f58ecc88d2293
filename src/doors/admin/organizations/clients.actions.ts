import { readFileSync } from 'node:fs';
import { ClientRegistry } from '../../../core/organizations/client-registry.js';
import { CliMisuse, type CliReport } from '../../../platform/cli/cli-command.js';
import { factReport } from '../../../platform/cli/command-report.js';
import { onOrganization, onThing } from '../action/acts.js';
import { adminGroup } from '../action/admin-group.js';
import { CLIENT_ROTATION, keysOf, NEW_CLIENT } from './clients.schema.js';
import { CLIENT_VIEW, toClientView, type ClientView } from './clients.views.js';
import { ORGANIZATION_EXAMPLES } from './organizations.examples.js';
import { changeText, CREDENTIAL_CHANGE } from './tenancy.schema.js';

const EXAMPLE_KEYS = { jwksUrl: 'https://ehr.example.org/jwks.json' };
const KEYS_USAGE = '--jwks FILE|--jwks-url URL';

const { action, group } = adminGroup({ clients: ClientRegistry });

const create = action({
  name: 'createClient',
  route: 'POST /organizations/:organizationId/clients',
  does: 'Register a client of SMART Backend Services by its public keys, or by the address of these',
  who: 'integrator',
  body: NEW_CLIENT,
  example: { name: 'EHR', environment: 'test', scopes: ['system/DiagnosticReport.rs'], ...EXAMPLE_KEYS },
  status: 201,
  answers: CLIENT_VIEW,
  shows: ORGANIZATION_EXAMPLES.client,
  refusals: ['organization.not_found', 'key.limit', 'key.live_not_allowed'],
  async run({ clients, operator }, { allowedNetworks = [], namesPersons = false, jwks, jwksUrl, ...input }) {
    const registration = { ...input, allowedNetworks, namesPersons, keys: keysOf({ jwks, jwksUrl }) };
    return toClientView(await clients.register(registration, operator.rights));
  },
  trail: {
    after: (view, { scopes, namesPersons = false }) =>
      onThing(
        'Device',
        view,
        '$create-client',
        'C',
        `scopes=${scopes.join(',')}${namesPersons ? '&namesPersons=true' : ''}`,
      ),
  },
  command: {
    usage: `client create --org ID --env test|live --name NAME --scopes "system/TYPE.crus …" ${KEYS_USAGE} [--networks CIDR,…] [--persons on|off]`,
    says: 'Register a client of SMART Backend Services: its public keys (a JWK Set), or the https address of these, and the most that its tokens may do. Networks: from where alone it may ask for tokens and use them. Persons: it may name the person behind a token or a request.',
    reads: { scopes: (text) => text.split(/[\s,]+/).filter((scope) => scope !== ''), jwks: readJson },
    prints: describe,
  },
});

const list = action({
  name: 'listClients',
  route: 'GET /organizations/:organizationId/clients',
  does: 'List the organization’s clients, revoked ones included',
  who: 'viewer',
  lists: CLIENT_VIEW,
  shows: ORGANIZATION_EXAMPLES.client,
  refusals: ['organization.not_found'],
  run: async ({ clients }, { organizationId }) => (await clients.list(organizationId)).map(toClientView),
  trail: { after: (_, { organizationId }) => onOrganization(organizationId, '$list-clients', 'R') },
  command: {
    usage: 'client list --org ID',
    says: 'List an organization’s clients, revoked ones included.',
    table: {
      CLIENT: ({ id }) => id,
      NAME: ({ name }) => name,
      ENVIRONMENT: ({ environment }) => environment,
      STATE: ({ state }) => state,
      SCOPES: ({ scopes }) => scopes.join(' '),
      KEYS: ({ jwksUrl, keyIds }) => jwksUrl ?? keyIds.join(','),
    },
  },
});

const rotate = action({
  name: 'rotateClient',
  route: 'POST /clients/:clientId/rotate',
  does: 'Give a client other keys; those left out stop working at once, tokens that it has go on until they end',
  who: 'integrator',
  body: CLIENT_ROTATION,
  example: EXAMPLE_KEYS,
  answers: CLIENT_VIEW,
  shows: ORGANIZATION_EXAMPLES.client,
  refusals: ['client.not_found'],
  run: async ({ clients, operator }, { clientId, ...input }) =>
    toClientView(await clients.rotate(clientId, keysOf(input), operator.rights)),
  trail: { after: (view) => onThing('Device', view, '$rotate-client', 'U') },
  command: {
    usage: `client rotate --client ID ${KEYS_USAGE}`,
    says: 'Give a client other keys. Those left out stop working at once: register old and new ones together for an overlap.',
    reads: { jwks: readJson },
    prints: describe,
  },
});

const restrict = action({
  name: 'restrictClient',
  route: 'PATCH /clients/:clientId',
  does: 'Say from which networks a client may ask for tokens and use them, and whether it may name the person behind them; takes effect within 5 seconds',
  who: 'integrator',
  body: CREDENTIAL_CHANGE,
  example: { allowedNetworks: ['10.20.0.0/16'] },
  answers: CLIENT_VIEW,
  shows: { ...ORGANIZATION_EXAMPLES.client, allowedNetworks: ['10.20.0.0/16'] },
  refusals: ['client.not_found'],
  run: async ({ clients, operator }, { clientId, ...change }) =>
    toClientView(await clients.change(clientId, change, operator.rights)),
  trail: { after: (view, change) => onThing('Device', view, '$restrict-client', 'U', changeText(change)) },
  command: {
    usage: 'client set --client ID [--networks CIDR,…|none] [--persons on|off]',
    says: 'Say from which networks a client may ask for tokens and use them, and whether it may name the person behind them; "none" is from anywhere.',
    prints: describe,
  },
});

const revoke = action({
  name: 'revokeClient',
  route: 'DELETE /clients/:clientId',
  does: 'Revoke a client; its tokens stop working within 5 seconds',
  who: 'integrator',
  refusals: ['client.not_found'],
  run: async ({ clients }, { clientId }) => toClientView(await clients.revoke(clientId)),
  // A revoked client stays revoked even if that cannot be recorded.
  trail: { after: (view) => onThing('Device', view, '$revoke-client', 'D') },
  command: {
    usage: 'client revoke --client ID',
    says: 'Revoke a client. Its tokens stop working within 5 seconds.',
    prints: (_, { clientId }) => ({ json: { clientId, state: 'revoked' }, text: `Client ${clientId} is revoked.` }),
  },
});

/** Clients of SMART Backend Services. */
export const CLIENT_ACTIONS = group('ClientsController', [create, list, rotate, restrict, revoke]);

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new CliMisuse(`--jwks must name a file with a JWK Set in JSON; ${file} cannot be read as one.`);
  }
}

function describe(view: ClientView): CliReport {
  return factReport(view, {
    'client id': view.clientId,
    name: view.name,
    environment: view.environment,
    scopes: view.scopes.join(' '),
    keys: view.jwksUrl ?? view.keyIds.join(','),
    networks: view.allowedNetworks.length === 0 ? 'any' : view.allowedNetworks.join(','),
    persons: view.namesPersons ? 'on' : 'off',
    state: view.state,
  });
}
