import { TenancyService } from '../../../core/organizations/tenancy.service.js';
import { factReport } from '../../../platform/cli/command-report.js';
import type { CliReport } from '../../../platform/cli/cli-command.js';
import { onOrganization } from '../action/acts.js';
import { adminGroup } from '../action/admin-group.js';
import { ORGANIZATION_EXAMPLES } from './organizations.examples.js';
import { NEW_ORGANIZATION, ORGANIZATION_CHANGE } from './tenancy.schema.js';
import {
  isAsRead,
  ORGANIZATION_VIEW,
  toOrganizationView,
  toUsageView,
  USAGE_VIEW,
  type OrganizationView,
} from './tenancy.views.js';

const PLAN_CHOICE = 'free|pro|enterprise';

const { action, group } = adminGroup({ tenancy: TenancyService });

const create = action({
  name: 'createOrganization',
  route: 'POST /organizations',
  does: 'Create an organization',
  who: 'installation admin',
  body: NEW_ORGANIZATION,
  example: { name: 'Clinic North', plan: 'pro' },
  status: 201,
  answers: ORGANIZATION_VIEW,
  shows: ORGANIZATION_EXAMPLES.organization,
  run: async ({ tenancy }, { name, plan }) => toOrganizationView(await tenancy.createOrganization(name, plan)),
  trail: { after: ({ organizationId }, { plan }) => onOrganization(organizationId, 'create', 'C', `plan=${plan}`) },
  command: { usage: `org create --name NAME --plan ${PLAN_CHOICE}`, prints: describe },
});

const list = action({
  name: 'listOrganizations',
  route: 'GET /organizations',
  does: 'List all organizations',
  who: 'installation admin',
  lists: ORGANIZATION_VIEW,
  shows: ORGANIZATION_EXAMPLES.organization,
  run: async ({ tenancy }) => (await tenancy.listOrganizations()).map(toOrganizationView),
  trail: { before: () => ({ interaction: 'search-type', action: 'R', resources: [], query: 'Organization' }) },
  command: {
    usage: 'org list',
    table: {
      ORGANIZATION: ({ organizationId }) => organizationId,
      NAME: ({ name }) => name,
      PLAN: ({ plan }) => plan,
      'PER DAY': ({ dailyLimit }) => String(dailyLimit),
      'RESULT POLICY': ({ resultPolicy }) => resultPolicy,
    },
  },
});

const change = action({
  name: 'changeOrganization',
  route: 'PATCH /organizations/:organizationId',
  does: 'Change name, plan, daily limit, result policy, the analysis of photos without an order, or the hosts that photos are fetched from; with the etag of the organization as If-Match only if nobody changed it since',
  who: 'installation admin',
  body: ORGANIZATION_CHANGE,
  example: { dailyLimit: 5000 },
  takesIfMatch: true,
  answers: ORGANIZATION_VIEW,
  shows: ORGANIZATION_EXAMPLES.organization,
  refusals: ['organization.not_found', 'organization.changed'],
  run: async ({ tenancy, ifMatch }, { organizationId, ...input }) =>
    toOrganizationView(
      await tenancy.changeOrganization(organizationId, changeOf(input), (present) => isAsRead(present, ifMatch)),
    ),
  trail: {
    after(_, { organizationId, ...input }) {
      const fields = Object.entries(changeOf(input)).map(([field, value]): [string, string] => [field, String(value)]);
      return onOrganization(organizationId, 'update', 'U', new URLSearchParams(fields).toString());
    },
  },
  command: {
    usage: `org set --org ID [--name NAME] [--plan ${PLAN_CHOICE}] [--daily-limit N|none] [--result-policy review|auto-final] [--auto-analyze on|off] [--unserved-types refuse|ignore] [--image-hosts HOST[:PORT],…|none] [--review-frames ORIGIN,…|none] [--browser-origins ORIGIN,…|none] [--delivery-networks NETWORK,…|none] [--time-zone ZONE|none] [--unmatched-after-minutes N|none]`,
    says: 'Change an organization; a daily limit of "none" is the plan’s own again. Photos are fetched over https from the image hosts only. Review frames: the https origins whose pages may show the review desk in a frame. Browser origins: those whose pages may call the native API with its keys (http://localhost:PORT with test keys alone). Delivery networks: networks inside that its webhooks and Subscriptions may be sent to, beside those that are open to all. Unserved types: what becomes of entries of FHIR Bundles that are not kept here. Time zone: of the moments in reports, such as Europe/Berlin. Unmatched after minutes: so long an order waits for its photo, and a photo for its order, before they stand on the list of what waits for a person (1440; none: never).',
    options: { reviewFrameOrigins: 'review-frames' },
    prints: describe,
  },
});

/** `usage --org ID`, behind the commands of keys. */
const usage = action({
  name: 'readOrganizationUsage',
  route: 'GET /organizations/:organizationId/usage',
  does: 'Analyses used today, both environments together',
  who: 'viewer',
  answers: USAGE_VIEW,
  shows: ORGANIZATION_EXAMPLES.usage,
  refusals: ['organization.not_found'],
  run: async ({ tenancy }, { organizationId }) => toUsageView(organizationId, await tenancy.usage(organizationId)),
  trail: { after: (_, { organizationId }) => onOrganization(organizationId, '$usage', 'R') },
  command: {
    usage: 'usage --org ID',
    says: 'Show the analyses used today, both environments together.',
    facts: ({ used, remaining, limit, resetsInS }) => ({
      used: String(used),
      remaining: String(remaining),
      limit: String(limit),
      'resets in': `${resetsInS} s`,
    }),
  },
});

export const ORGANIZATION_ACTIONS = group('OrganizationsController', [create, list, change]);
export const USAGE_ACTIONS = group('UsageController', [usage]);

/** The record of a change has the words of core. */
function changeOf<Change extends { readonly dailyLimit?: number | null | undefined }>({ dailyLimit, ...rest }: Change) {
  return { ...rest, ...(dailyLimit === undefined ? {} : { dailyLimitOverride: dailyLimit }) };
}

function describe(view: OrganizationView): CliReport {
  const { imageHosts, reviewFrameOrigins, browserOrigins, deliveryNetworks } = view;
  return factReport(view, {
    organization: view.organizationId,
    name: view.name,
    plan: view.plan,
    'analyses per day': String(view.dailyLimit),
    'result policy': view.resultPolicy,
    'photos without order': view.autoAnalyze ? 'analysed' : 'kept',
    'unserved types': view.unservedTypes === 'ignore' ? 'ignored' : 'refused',
    'image hosts': imageHosts.length === 0 ? 'none' : imageHosts.join(','),
    'review frames': reviewFrameOrigins.length === 0 ? 'none' : reviewFrameOrigins.join(','),
    'browser origins': browserOrigins.length === 0 ? 'none' : browserOrigins.join(','),
    'delivery networks': deliveryNetworks.length === 0 ? 'none' : deliveryNetworks.join(','),
    'time zone': view.timeZone ?? 'as SUTURA_TIME_ZONE says',
    'unmatched after': view.unmatchedAfterMinutes === null ? 'never' : `${view.unmatchedAfterMinutes} min`,
  });
}
