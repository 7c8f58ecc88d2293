import { SCOPES } from '../../../core/tenancy/api-key.js';
import type { Operator } from '../../../core/tenancy/operator.js';
import { CliMisuse, type CliCommand, type CliReport, type CommandGroup } from '../../../platform/cli/cli-command.js';
import {
  optional,
  required,
  checkOptions,
  commandOn,
  given,
  listOrNone,
  onOrOff,
  definedOnly,
  TEXT,
} from '../../../platform/cli/command-options.js';
import { factReport, tableReport } from '../../../platform/cli/command-report.js';
import { credentialChange } from './credential-options.js';
import { TenancyOperations } from './tenancy-operations.js';
import { CREDENTIAL_CHANGE, KEY_ROTATION, NEW_KEY, NEW_ORGANIZATION, ORGANIZATION_CHANGE } from './tenancy.schema.js';
import type { IssuedKeyView, KeyView, OrganizationView } from './tenancy.views.js';

export interface TenancyServices {
  readonly operator: Operator;
  readonly tenancy: TenancyOperations;
}

type TenancyCommand = CliCommand<TenancyServices>;
type Run = (services: TenancyServices) => Promise<CliReport>;

const PLAN_CHOICE = 'free|pro|enterprise';
/** The option for each field of the schemas whose name differs. */
/** What a system that sends photos needs, and what else there is. */
const SCOPES_OF_A_WARD = SCOPES.slice(0, 3);
const SCOPES_BESIDES = SCOPES.slice(3);

const OPTION_OF = {
  environment: 'env',
  expiresAt: 'expires',
  dailyLimit: 'daily-limit',
  resultPolicy: 'result-policy',
  autoAnalyze: 'auto-analyze',
  unservedTypes: 'unserved-types',
  imageHosts: 'image-hosts',
  reviewFrameOrigins: 'review-frames',
  timeZone: 'time-zone',
  overlapS: 'overlap-s',
  allowedNetworks: 'networks',
  namesPersons: 'persons',
};

const orgCreate: TenancyCommand = {
  name: 'org create',
  usage: `--name NAME --plan ${PLAN_CHOICE}`,
  summary: 'Create an organization.',
  options: { name: TEXT, plan: TEXT },
  prepare(values): Run {
    const input = checkOptions(
      NEW_ORGANIZATION,
      { name: required(values, 'name'), plan: required(values, 'plan') },
      OPTION_OF,
    );
    return async ({ operator, tenancy }) => describeOrganization(await tenancy.createOrganization(operator, input));
  },
};

const orgList: TenancyCommand = {
  name: 'org list',
  usage: '',
  summary: 'List all organizations.',
  options: {},
  prepare(): Run {
    return async ({ operator, tenancy }) => describeOrganizations(await tenancy.listOrganizations(operator));
  },
};

const orgSet: TenancyCommand = {
  name: 'org set',
  usage: `--org ID [--name NAME] [--plan ${PLAN_CHOICE}] [--daily-limit N|none] [--result-policy review|auto-final] [--auto-analyze on|off] [--unserved-types refuse|ignore] [--image-hosts HOST[:PORT],…|none] [--review-frames ORIGIN,…|none] [--time-zone ZONE|none]`,
  summary:
    'Change an organization; a daily limit of "none" is the plan’s own again. Photos are fetched over https from the image hosts only. Review frames: the https origins whose pages may show the review desk in a frame. Unserved types: what becomes of entries of FHIR Bundles that are not kept here. Time zone: of the moments in reports, such as Europe/Berlin.',
  options: {
    org: TEXT,
    name: TEXT,
    plan: TEXT,
    'daily-limit': TEXT,
    'result-policy': TEXT,
    'auto-analyze': TEXT,
    'unserved-types': TEXT,
    'image-hosts': TEXT,
    'review-frames': TEXT,
    'time-zone': TEXT,
  },
  prepare(values): Run {
    const organizationId = required(values, 'org');
    const limit = optional(values, 'daily-limit');
    const zone = optional(values, 'time-zone');
    const change = definedOnly({
      name: optional(values, 'name'),
      plan: optional(values, 'plan'),
      dailyLimit: limit === 'none' ? null : wholeNumber(limit, 'daily-limit'),
      resultPolicy: optional(values, 'result-policy'),
      autoAnalyze: onOrOff(optional(values, 'auto-analyze'), 'auto-analyze'),
      unservedTypes: optional(values, 'unserved-types'),
      imageHosts: listOrNone(optional(values, 'image-hosts')),
      reviewFrameOrigins: listOrNone(optional(values, 'review-frames')),
      timeZone: zone === 'none' ? null : zone,
    });
    const checked = checkOptions(ORGANIZATION_CHANGE, change, OPTION_OF);
    return async ({ operator, tenancy }) =>
      describeOrganization(await tenancy.changeOrganization(operator, organizationId, checked));
  },
};

const keyCreate: TenancyCommand = {
  name: 'key create',
  usage: `--org ID --env test|live --scopes ${SCOPES_OF_A_WARD.join()}[,${SCOPES_BESIDES.join()}] [--expires RFC3339] [--networks CIDR,…] [--persons on|off]`,
  summary:
    'Create an API key. Its text is shown this once. Networks: from where alone it may be used. Persons: it may name the person behind a request.',
  options: { org: TEXT, env: TEXT, scopes: TEXT, expires: TEXT, networks: TEXT, persons: TEXT },
  prepare(values): Run {
    const organizationId = required(values, 'org');
    const scopes = required(values, 'scopes')
      .split(',')
      .map((scope) => scope.trim());
    const input = checkOptions(
      NEW_KEY,
      {
        environment: required(values, 'env'),
        scopes,
        ...given(values, { expiresAt: 'expires' }),
        ...credentialChange(values),
      },
      OPTION_OF,
    );
    return async ({ operator, tenancy }) => describeIssuedKey(await tenancy.createKey(operator, organizationId, input));
  },
};

const keyList = commandOn<TenancyServices>(
  { name: 'key list', summary: 'List an organization’s keys, ended ones included.', by: 'org' },
  async ({ operator, tenancy }, organizationId) => describeKeys(await tenancy.listKeys(operator, organizationId)),
);

const keyRotate: TenancyCommand = {
  name: 'key rotate',
  usage: '--key ID [--overlap-s SECONDS]',
  summary: 'Replace a key. The old one works for the overlap, a day unless told otherwise.',
  options: { key: TEXT, 'overlap-s': TEXT },
  prepare(values): Run {
    const keyId = required(values, 'key');
    const rotation = checkOptions(
      KEY_ROTATION,
      definedOnly({ overlapS: wholeNumber(optional(values, 'overlap-s'), 'overlap-s') }),
      OPTION_OF,
    );
    return async ({ operator, tenancy }) => describeIssuedKey(await tenancy.rotateKey(operator, keyId, rotation));
  },
};

const keySet: TenancyCommand = {
  name: 'key set',
  usage: '--key ID [--networks CIDR,…|none] [--persons on|off]',
  summary:
    'Say from which networks a key may be used, and whether it may name the person behind a request. Takes effect within 5 seconds; "none" is from anywhere.',
  options: { key: TEXT, networks: TEXT, persons: TEXT },
  prepare(values): Run {
    const keyId = required(values, 'key');
    const checked = checkOptions(CREDENTIAL_CHANGE, credentialChange(values), OPTION_OF);
    return async ({ operator, tenancy }) => {
      const view = await tenancy.changeKey(operator, keyId, checked);
      return factReport(view, { 'key id': keyId, ...limitsOf(view) });
    };
  },
};

const keyRevoke = commandOn<TenancyServices>(
  { name: 'key revoke', summary: 'Revoke a key. It stops working within 5 seconds.', by: 'key' },
  async ({ operator, tenancy }, keyId) => {
    await tenancy.revokeKey(operator, keyId);
    return { json: { keyId, state: 'revoked' }, text: `Key ${keyId} is revoked.` };
  },
);

const usage = commandOn<TenancyServices>(
  { name: 'usage', summary: 'Show the analyses used today, both environments together.', by: 'org' },
  async ({ operator, tenancy }, organizationId) => {
    const view = await tenancy.usage(operator, organizationId);
    return factReport(view, {
      used: String(view.used),
      remaining: String(view.remaining),
      limit: String(view.limit),
      'resets in': `${view.resetsInS} s`,
    });
  },
);

/** Organizations, keys and usage. */
export const TENANCY_COMMANDS: CommandGroup<TenancyServices> = {
  providers: [TenancyOperations],
  services: (app, operator) => ({ operator, tenancy: app.get(TenancyOperations) }),
  commands: [orgCreate, orgList, orgSet, keyCreate, keyList, keyRotate, keySet, keyRevoke, usage],
};

function wholeNumber(value: string | undefined, name: string): number | undefined {
  if (value === undefined) return undefined;
  if (!/^[0-9]{1,10}$/.test(value)) throw new CliMisuse(`--${name} must be a whole number.`);
  return Number(value);
}

function describeOrganizations(views: readonly OrganizationView[]): CliReport {
  return tableReport(views, {
    ORGANIZATION: ({ organizationId }) => organizationId,
    NAME: ({ name }) => name,
    PLAN: ({ plan }) => plan,
    'PER DAY': ({ dailyLimit }) => String(dailyLimit),
    'RESULT POLICY': ({ resultPolicy }) => resultPolicy,
  });
}

function describeOrganization(view: OrganizationView): CliReport {
  const {
    organizationId,
    name,
    plan,
    dailyLimit,
    resultPolicy,
    autoAnalyze,
    unservedTypes,
    imageHosts,
    reviewFrameOrigins,
    timeZone,
  } = view;
  return factReport(view, {
    organization: organizationId,
    name,
    plan,
    'analyses per day': String(dailyLimit),
    'result policy': resultPolicy,
    'photos without order': autoAnalyze ? 'analysed' : 'kept',
    'unserved types': unservedTypes === 'ignore' ? 'ignored' : 'refused',
    'image hosts': imageHosts.length === 0 ? 'none' : imageHosts.join(','),
    'review frames': reviewFrameOrigins.length === 0 ? 'none' : reviewFrameOrigins.join(','),
    'time zone': timeZone ?? 'as SUTURA_TIME_ZONE says',
  });
}

function describeIssuedKey(view: IssuedKeyView): CliReport {
  const { keyId, key, environment, scopes, expiresAt } = view;
  const { text } = factReport(view, {
    'key id': keyId,
    key,
    environment,
    scopes: scopes.join(','),
    expires: expiresAt ?? 'never',
    ...limitsOf(view),
  });
  return { json: view, text: `${text}\n\nKeep the key now: it is not shown again.` };
}

function limitsOf({ allowedNetworks, namesPersons }: KeyView): Record<string, string> {
  return {
    networks: networksText(allowedNetworks),
    persons: namesPersons ? 'on' : 'off',
  };
}

function networksText(allowedNetworks: readonly string[]): string {
  return allowedNetworks.length === 0 ? 'any' : allowedNetworks.join(',');
}

function describeKeys(views: readonly KeyView[]): CliReport {
  return tableReport(views, {
    KEY: ({ keyId }) => keyId,
    TEXT: ({ prefix, lastFour }) => `${prefix}…${lastFour}`,
    ENVIRONMENT: ({ environment }) => environment,
    STATE: ({ replacedBy, state }) => (replacedBy !== null && state === 'active' ? 'replaced' : state),
    SCOPES: ({ scopes }) => scopes.join(','),
    EXPIRES: ({ expiresAt }) => expiresAt ?? 'never',
    NETWORKS: ({ allowedNetworks }) => networksText(allowedNetworks),
    PERSONS: ({ namesPersons }) => (namesPersons ? 'on' : 'off'),
    'LAST USED': ({ lastUsedAt }) => lastUsedAt ?? 'never',
  });
}
