import type { OperatorAct } from '../../../core/audit/operator-trail.js';
import type { Operator } from '../../../core/tenancy/operator.js';
import { OrganizationUsers } from '../../../core/users/organization-users.js';
import { definedOnly } from '../../../platform/cli/command-options.js';
import { adminGroup } from '../action/admin-group.js';
import { USER_EXAMPLES } from './users.examples.js';
import { NEW_ORGANIZATION_USER, ORGANIZATION_USER_CHANGE } from './users.schema.js';
import {
  INVITED_ORGANIZATION_USER_VIEW,
  ORGANIZATION_USER_VIEW,
  toInvitedOrganizationUserView,
  toOrganizationUserView,
  type OrganizationUserView,
} from './users.views.js';

const USER = 'user:';

const { action, group } = adminGroup({ users: OrganizationUsers });

const create = action({
  name: 'createOrganizationUser',
  route: 'POST /organizations/:organizationId/users',
  does: 'Make a user with a role in this organization; the set-up code is shown this once and works for a day',
  who: 'admin',
  body: NEW_ORGANIZATION_USER,
  example: { name: 'anna', role: 'viewer' },
  status: 201,
  answers: INVITED_ORGANIZATION_USER_VIEW,
  shows: USER_EXAMPLES.invitedOrganizationUser,
  isSecret: true,
  refusals: ['user.name_taken', 'organization.not_found'],
  async run({ users }, { organizationId, name, displayName = name, role }) {
    const invited = await users.create(organizationId, { name, displayName, role });
    return toInvitedOrganizationUserView(invited, organizationId);
  },
  trail: { after: (view, { organizationId, role }) => actOn(organizationId, view, '$create-user', 'C', { role }) },
});

const list = action({
  name: 'listOrganizationUsers',
  route: 'GET /organizations/:organizationId/users',
  does: 'The users with a role in this organization, and those who had one',
  who: 'admin',
  lists: ORGANIZATION_USER_VIEW,
  shows: USER_EXAMPLES.organizationUser,
  run: async ({ users }, { organizationId }) =>
    (await users.list(organizationId)).map((user) => toOrganizationUserView(user, organizationId)),
  trail: {
    before: (_, { organizationId }) => ({
      interaction: '$list-users',
      action: 'R',
      of: { organizationId },
      resources: [],
    }),
  },
});

const change = action({
  name: 'changeOrganizationUser',
  route: 'PATCH /organizations/:organizationId/users/:userId',
  does: 'Change the role in this organization, take it away or give it again, or disable a user of this organization alone',
  who: 'admin',
  body: ORGANIZATION_USER_CHANGE,
  example: { role: null },
  answers: ORGANIZATION_USER_VIEW,
  shows: { ...USER_EXAMPLES.organizationUser, role: null },
  refusals: ['user.not_found', 'user.self', 'user.elsewhere'],
  async run({ users, operator }, { organizationId, userId, ...said }) {
    const user = await users.change(organizationId, userId, said, askerOf(operator));
    return toOrganizationUserView(user, organizationId);
  },
  trail: {
    after: (view, { organizationId, userId: _, ...said }) => actOn(organizationId, view, '$change-user', 'U', said),
  },
});

const reset = action({
  name: 'resetOrganizationUser',
  route: 'POST /organizations/:organizationId/users/:userId/reset',
  does: 'Take password, one-time codes and sessions of a user of this organization alone away; a new set-up code is shown this once',
  who: 'admin',
  answers: INVITED_ORGANIZATION_USER_VIEW,
  shows: USER_EXAMPLES.invitedOrganizationUser,
  isSecret: true,
  refusals: ['user.not_found', 'user.self', 'user.elsewhere', 'user.provider'],
  run: async ({ users, operator }, { organizationId, userId }) =>
    toInvitedOrganizationUserView(await users.reset(organizationId, userId, askerOf(operator)), organizationId),
  trail: { after: (view, { organizationId }) => actOn(organizationId, view, '$reset-user', 'U', {}) },
});

/** The users of an organization, for its own admins; acts go into its trail. */
export const ORGANIZATION_USER_ACTIONS = group('OrganizationUsersController', [create, list, change, reset]);

/** null: no user, but whoever has the admin token. */
function askerOf({ name }: Operator): string | null {
  return name.startsWith(USER) ? name.slice(USER.length) : null;
}

function actOn(
  organizationId: string,
  { id, name }: OrganizationUserView,
  interaction: string,
  action: 'C' | 'U',
  said: Readonly<Record<string, unknown>>,
): OperatorAct {
  const fields = Object.entries(definedOnly(said)).map(([field, value]) => [field, String(value ?? 'none')]);
  const query = new URLSearchParams([['name', name], ...fields]).toString();
  return { interaction, action, of: { organizationId }, resources: [`Person/${id}`], query };
}
