import type { z } from 'zod';
import { isSuturaError } from '../../core/errors/sutura-error.js';
import { parseInput } from '../../platform/http/parse-input.js';
import { CliMisuse, optional, required, type CliCommand, type CliReport } from './cli-command.js';
import type { TenancyDesk } from './tenancy-desk.js';
import { KEY_ROTATION, NEW_KEY, NEW_ORGANIZATION, ORGANIZATION_CHANGE } from './tenancy.schema.js';
import { toFactList, toTextTable } from './text-table.js';
import type { IssuedKeyView, KeyView, OrganizationView } from './tenancy.views.js';

export interface TenancyServices {
  readonly desk: TenancyDesk;
}

type TenancyCommand = CliCommand<TenancyServices>;
type Run = (services: TenancyServices) => Promise<CliReport>;

const text = { type: 'string' } as const;
const PLAN_CHOICE = 'free|pro|enterprise';

const orgCreate: TenancyCommand = {
  name: 'org create',
  usage: `--name NAME --plan ${PLAN_CHOICE}`,
  summary: 'Create an organization.',
  options: { name: text, plan: text },
  prepare(values): Run {
    const wish = check(NEW_ORGANIZATION, { name: required(values, 'name'), plan: required(values, 'plan') });
    return async ({ desk }) => describeOrganization(await desk.createOrganization(wish));
  },
};

const orgList: TenancyCommand = {
  name: 'org list',
  usage: '',
  summary: 'List all organizations.',
  options: {},
  prepare(): Run {
    return async ({ desk }) => {
      const organizations = await desk.listOrganizations();
      const rows = organizations.map(({ organizationId, name, plan, dailyLimit, resultPolicy }) => [organizationId, name, plan, String(dailyLimit), resultPolicy]);
      return { json: organizations, text: toTextTable(['ORGANIZATION', 'NAME', 'PLAN', 'PER DAY', 'RESULT POLICY'], rows) };
    };
  },
};

const orgSet: TenancyCommand = {
  name: 'org set',
  usage: `--org ID [--name NAME] [--plan ${PLAN_CHOICE}] [--daily-limit N|none] [--result-policy review|auto-final] [--auto-analyze on|off] [--image-hosts HOST[:PORT],…|none]`,
  summary: 'Change an organization; a daily limit of "none" is the plan’s own again. Photos are fetched over https from the image hosts only.',
  options: { org: text, name: text, plan: text, 'daily-limit': text, 'result-policy': text, 'auto-analyze': text, 'image-hosts': text },
  prepare(values): Run {
    const organizationId = required(values, 'org');
    const limit = optional(values, 'daily-limit');
    const change = check(ORGANIZATION_CHANGE, {
      ...given('name', optional(values, 'name')),
      ...given('plan', optional(values, 'plan')),
      ...given('dailyLimit', limit === 'none' ? null : wholeNumber(limit, 'daily-limit')),
      ...given('resultPolicy', optional(values, 'result-policy')),
      ...given('autoAnalyze', onOrOff(optional(values, 'auto-analyze'), 'auto-analyze')),
      ...given('imageHosts', listOrNone(optional(values, 'image-hosts'))),
    });
    return async ({ desk }) => describeOrganization(await desk.changeOrganization(organizationId, change));
  },
};

const keyCreate: TenancyCommand = {
  name: 'key create',
  usage: '--org ID --env test|live --scopes images:write,analysis:write,analysis:read[,analysis:review] [--expires RFC3339]',
  summary: 'Create an API key. Its text is shown this once.',
  options: { org: text, env: text, scopes: text, expires: text },
  prepare(values): Run {
    const organizationId = required(values, 'org');
    const wish = check(NEW_KEY, {
      environment: required(values, 'env'),
      scopes: required(values, 'scopes').split(',').map((scope) => scope.trim()),
      ...given('expiresAt', optional(values, 'expires')),
    });
    return async ({ desk }) => describeIssuedKey(await desk.createKey(organizationId, wish));
  },
};

const keyList: TenancyCommand = {
  name: 'key list',
  usage: '--org ID',
  summary: 'List an organization’s keys, ended ones included.',
  options: { org: text },
  prepare(values): Run {
    const organizationId = required(values, 'org');
    return async ({ desk }) => describeKeys(await desk.listKeys(organizationId));
  },
};

const keyRotate: TenancyCommand = {
  name: 'key rotate',
  usage: '--key ID [--overlap-s SECONDS]',
  summary: 'Replace a key. The old one works for the overlap, a day unless told otherwise.',
  options: { key: text, 'overlap-s': text },
  prepare(values): Run {
    const keyId = required(values, 'key');
    const rotation = check(KEY_ROTATION, given('overlapS', wholeNumber(optional(values, 'overlap-s'), 'overlap-s')));
    return async ({ desk }) => describeIssuedKey(await desk.rotateKey(keyId, rotation));
  },
};

const keyRevoke: TenancyCommand = {
  name: 'key revoke',
  usage: '--key ID',
  summary: 'Revoke a key. It stops working within 5 seconds.',
  options: { key: text },
  prepare(values): Run {
    const keyId = required(values, 'key');
    return async ({ desk }) => {
      await desk.revokeKey(keyId);
      return { json: { keyId, state: 'revoked' }, text: `Key ${keyId} is revoked.` };
    };
  },
};

const usage: TenancyCommand = {
  name: 'usage',
  usage: '--org ID',
  summary: 'Show the analyses used today, both environments together.',
  options: { org: text },
  prepare(values): Run {
    const organizationId = required(values, 'org');
    return async ({ desk }) => {
      const view = await desk.usage(organizationId);
      const facts = { used: String(view.used), remaining: String(view.remaining), limit: String(view.limit), 'resets in': `${view.resetsInS} s` };
      return { json: view, text: toFactList(facts) };
    };
  },
};

/** Organizations, keys and usage. */
export const TENANCY_COMMANDS: readonly TenancyCommand[] = [orgCreate, orgList, orgSet, keyCreate, keyList, keyRotate, keyRevoke, usage];

function given<T>(name: string, value: T | undefined): Record<string, T> {
  return value === undefined ? {} : { [name]: value };
}

function wholeNumber(value: string | undefined, name: string): number | undefined {
  if (value === undefined) return undefined;
  if (!/^[0-9]{1,10}$/.test(value)) throw new CliMisuse(`--${name} must be a whole number.`);
  return Number(value);
}

function onOrOff(value: string | undefined, name: string): boolean | undefined {
  if (value === undefined) return undefined;
  if (value !== 'on' && value !== 'off') throw new CliMisuse(`--${name} must be on or off.`);
  return value === 'on';
}

function listOrNone(value: string | undefined): string[] | undefined {
  if (value === undefined) return undefined;
  return value === 'none' ? [] : value.split(',').map((part) => part.trim().toLowerCase());
}

/** The options that a field of the schemas stands for, where the names differ. */
const OPTION_OF: Readonly<Record<string, string>> = { environment: 'env', expiresAt: 'expires', dailyLimit: 'daily-limit', resultPolicy: 'result-policy', autoAnalyze: 'auto-analyze', imageHosts: 'image-hosts', overlapS: 'overlap-s' };

function check<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  try {
    return parseInput(schema, value);
  } catch (error) {
    if (!isSuturaError(error, 'request.invalid')) throw error;
    throw new CliMisuse((error.facts.errors ?? []).map(({ pointer, detail }) => sentenceOf(pointer, detail)).join('\n'));
  }
}

function sentenceOf(pointer: string, detail: string): string {
  const field = pointer.split('/')[1];
  return field === undefined ? `The options ${detail}.` : `--${OPTION_OF[field] ?? field} ${detail}.`;
}

function describeOrganization(view: OrganizationView): CliReport {
  const { organizationId, name, plan, dailyLimit, resultPolicy, autoAnalyze, imageHosts } = view;
  const facts = {
    organization: organizationId,
    name,
    plan,
    'analyses per day': String(dailyLimit),
    'result policy': resultPolicy,
    'photos without order': autoAnalyze ? 'analysed' : 'kept',
    'image hosts': imageHosts.length === 0 ? 'none' : imageHosts.join(','),
  };
  return { json: view, text: toFactList(facts) };
}

function describeIssuedKey(view: IssuedKeyView): CliReport {
  const { keyId, key, environment, scopes, expiresAt } = view;
  const facts = toFactList({ 'key id': keyId, key, environment, scopes: scopes.join(','), expires: expiresAt ?? 'never' });
  return { json: view, text: `${facts}\n\nKeep the key now: it is not shown again.` };
}

function describeKeys(views: readonly KeyView[]): CliReport {
  const rows = views.map((view) => [
    view.keyId,
    `${view.prefix}…${view.lastFour}`,
    view.environment,
    view.replacedBy !== null && view.state === 'active' ? 'replaced' : view.state,
    view.scopes.join(','),
    view.expiresAt ?? 'never',
    view.lastUsedAt ?? 'never',
  ]);
  return { json: views, text: toTextTable(['KEY', 'TEXT', 'ENVIRONMENT', 'STATE', 'SCOPES', 'EXPIRES', 'LAST USED'], rows) };
}

