import { readFileSync } from 'node:fs';
import type { Operator } from '../../../core/tenancy/operator.js';
import {
  CliMisuse,
  type CliCommand,
  type CliReport,
  type CliValues,
  type CommandGroup,
} from '../../../platform/cli/cli-command.js';
import {
  checkOptions,
  commandOn,
  optional,
  required,
  definedOnly,
  TEXT,
} from '../../../platform/cli/command-options.js';
import { factReport, tableReport } from '../../../platform/cli/command-report.js';
import { ClientOperations } from './client-operations.js';
import { CLIENT_ROTATION, NEW_CLIENT } from './clients.schema.js';
import { credentialChange } from './credential-options.js';
import { CREDENTIAL_CHANGE } from './tenancy.schema.js';
import type { ClientView } from './clients.views.js';

export interface ClientServices {
  readonly operator: Operator;
  readonly clients: ClientOperations;
}

type ClientCommand = CliCommand<ClientServices>;

const KEYS_USAGE = '--jwks FILE|--jwks-url URL';
const OPTION_OF = { environment: 'env', jwksUrl: 'jwks-url', allowedNetworks: 'networks', namesPersons: 'persons' };

const create: ClientCommand = {
  name: 'client create',
  usage: `--org ID --env test|live --name NAME --scopes "system/TYPE.crus …" ${KEYS_USAGE} [--networks CIDR,…] [--persons on|off]`,
  summary:
    'Register a client of SMART Backend Services: its public keys (a JWK Set), or the https address of these, and the most that its tokens may do. Networks: from where alone it may ask for tokens and use them. Persons: it may name the person behind a token or a request.',
  options: {
    org: TEXT,
    env: TEXT,
    name: TEXT,
    scopes: TEXT,
    jwks: TEXT,
    'jwks-url': TEXT,
    networks: TEXT,
    persons: TEXT,
  },
  prepare(values) {
    const organizationId = required(values, 'org');
    const scopes = required(values, 'scopes')
      .split(/[\s,]+/)
      .filter((scope) => scope !== '');
    const stating = { name: required(values, 'name'), environment: required(values, 'env'), scopes };
    const input = checkOptions(
      NEW_CLIENT,
      { ...stating, ...credentialChange(values), ...keySource(values) },
      OPTION_OF,
    );
    return async ({ operator, clients }) => describe(await clients.create(operator, organizationId, input));
  },
};

const list = commandOn<ClientServices>(
  { name: 'client list', summary: 'List an organization’s clients, revoked ones included.', by: 'org' },
  async ({ operator, clients }, organizationId) =>
    tableReport(await clients.list(operator, organizationId), {
      CLIENT: ({ id }) => id,
      NAME: ({ name }) => name,
      ENVIRONMENT: ({ environment }) => environment,
      STATE: ({ state }) => state,
      SCOPES: ({ scopes }) => scopes.join(' '),
      KEYS: ({ jwksUrl, keyIds }) => jwksUrl ?? keyIds.join(','),
    }),
);

const rotate: ClientCommand = {
  name: 'client rotate',
  usage: `--client ID ${KEYS_USAGE}`,
  summary:
    'Give a client other keys. Those left out stop working at once: register old and new ones together for an overlap.',
  options: { client: TEXT, jwks: TEXT, 'jwks-url': TEXT },
  prepare(values) {
    const clientId = required(values, 'client');
    const input = checkOptions(CLIENT_ROTATION, keySource(values), OPTION_OF);
    return async ({ operator, clients }) => describe(await clients.rotate(operator, clientId, input));
  },
};

const set: ClientCommand = {
  name: 'client set',
  usage: '--client ID [--networks CIDR,…|none] [--persons on|off]',
  summary:
    'Say from which networks a client may ask for tokens and use them, and whether it may name the person behind them; "none" is from anywhere.',
  options: { client: TEXT, networks: TEXT, persons: TEXT },
  prepare(values) {
    const clientId = required(values, 'client');
    const checked = checkOptions(CREDENTIAL_CHANGE, credentialChange(values), OPTION_OF);
    return async ({ operator, clients }) => describe(await clients.change(operator, clientId, checked));
  },
};

const revoke = commandOn<ClientServices>(
  { name: 'client revoke', summary: 'Revoke a client. Its tokens stop working within 5 seconds.', by: 'client' },
  async ({ operator, clients }, clientId) => {
    await clients.revoke(operator, clientId);
    return { json: { clientId, state: 'revoked' }, text: `Client ${clientId} is revoked.` };
  },
);

/** Clients of SMART Backend Services. */
export const CLIENT_COMMANDS: CommandGroup<ClientServices> = {
  providers: [ClientOperations],
  services: (app, operator) => ({ operator, clients: app.get(ClientOperations) }),
  commands: [create, list, rotate, set, revoke],
};

function keySource(values: CliValues): Readonly<Record<string, unknown>> {
  const file = optional(values, 'jwks');
  return definedOnly<unknown>({
    jwks: file === undefined ? undefined : readJson(file),
    jwksUrl: optional(values, 'jwks-url'),
  });
}

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
