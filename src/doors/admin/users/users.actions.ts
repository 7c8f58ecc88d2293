import { text as textOf } from 'node:stream/consumers';
import type { z } from 'zod';
import type { OperatorAct } from '../../../core/audit/operator-trail.js';
import { ROLES } from '../../../core/tenancy/roles.js';
import { requirePassword } from '../../../core/users/password-rule.js';
import { UserDirectory } from '../../../core/users/user-directory.js';
import { UserLogin } from '../../../core/users/user-login.js';
import { CliMisuse, type CliReport, type CliValues } from '../../../platform/cli/cli-command.js';
import { checkOptions, definedOnly, onOrOff, optional, required } from '../../../platform/cli/command-options.js';
import { factReport } from '../../../platform/cli/command-report.js';
import { perform } from '../action/admin-action.js';
import { adminGroup } from '../action/admin-group.js';
import { USER_EXAMPLES } from './users.examples.js';
import { NEW_USER, USER_CHANGE } from './users.schema.js';
import {
  INVITED_USER_VIEW,
  isAsRead,
  toInvitedUserView,
  toUserView,
  USER_VIEW,
  type InvitedUserView,
  type UserView,
} from './users.views.js';

const ROLES_USAGE = `--roles ${ROLES.join('|')}@ORG,…`;

const { action, command, group } = adminGroup({ directory: UserDirectory, login: UserLogin });

const create = action({
  name: 'createUser',
  route: 'POST /users',
  does: 'Make a user; the set-up code is shown this once and works for a day',
  who: 'installation admin',
  body: NEW_USER,
  example: { name: 'anna', roles: USER_EXAMPLES.user.roles },
  status: 201,
  answers: INVITED_USER_VIEW,
  shows: USER_EXAMPLES.invitedUser,
  isSecret: true,
  refusals: ['user.name_taken', 'organization.not_found'],
  async run({ directory }, { name, displayName = name, installationAdmin: isInstallationAdmin, roles }) {
    return toInvitedUserView(await directory.create({ name, displayName, isInstallationAdmin, roles }));
  },
  trail: {
    after: (view, { installationAdmin, roles }) => actOn(view, '$create-user', 'C', { installationAdmin, roles }),
  },
});

const createCommand = command({
  usage: `user create --name NAME [--display-name TEXT] [${ROLES_USAGE}] [--installation-admin on] [--password-stdin]`,
  summary:
    'Make a user of the admin API. The set-up code that is shown lets them set their password within a day; with --password-stdin the password is the first line of the standard input instead. An installation admin may do everything, and ends the use of SUTURA_ADMIN_TOKEN.',
  prepare(values) {
    const named = definedOnly<unknown>({
      name: required(values, 'name'),
      displayName: optional(values, 'display-name'),
      installationAdmin: onOrOff(optional(values, 'installation-admin'), 'installation-admin'),
      roles: values['roles'] === undefined ? undefined : rolesOf(String(values['roles'])),
    });
    const input = checkOptions(NEW_USER, named, OPTIONS);
    return async (context) => {
      const password = await passwordOfInput(values);
      if (password !== null) requirePassword(password, input.name);
      return describeInvited(context.login, await perform(create, context, input), password);
    };
  },
});

const list = action({
  name: 'listUsers',
  route: 'GET /users',
  does: 'List all users, disabled ones included',
  who: 'installation admin',
  lists: USER_VIEW,
  shows: USER_EXAMPLES.user,
  run: async ({ directory }) => (await directory.list()).map(toUserView),
  trail: { before: () => ({ interaction: '$list-users', action: 'R', resources: [] }) },
  command: {
    usage: 'user list',
    table: {
      USER: ({ id }) => id,
      NAME: ({ name }) => name,
      'DISPLAY NAME': ({ displayName }) => displayName,
      STATE: ({ state }) => state,
      ROLES: rolesText,
      'LAST LOGIN': ({ lastLoginAt }) => lastLoginAt,
    },
  },
});

const change = action({
  name: 'changeUser',
  route: 'PATCH /users/:userId',
  does: 'Change name or roles, or disable a user; takes effect with the next request of each session; with the etag of the user as If-Match only if nobody changed them since',
  who: 'installation admin',
  body: USER_CHANGE,
  example: { disabled: true },
  takesIfMatch: true,
  answers: USER_VIEW,
  shows: { ...USER_EXAMPLES.user, state: 'disabled', disabledAt: '2026-03-15T08:40:05.000Z' },
  refusals: ['user.not_found', 'user.changed', 'user.last_admin', 'organization.not_found'],
  async run({ directory, ifMatch }, { userId, installationAdmin: isInstallationAdmin, ...rest }) {
    const changed = { ...rest, isInstallationAdmin };
    return toUserView(await directory.change(userId, changed, (present) => isAsRead(present, ifMatch)));
  },
  trail: { after: (view, { userId: _, ...said }) => actOn(view, '$change-user', 'U', said) },
  command: {
    usage: `user set --user ID [--display-name TEXT] [${ROLES_USAGE}|none] [--installation-admin on|off]`,
    says: 'Change a user. Roles take the place of those that there were; takes effect with the next request.',
    reads: { roles: rolesOf },
    facts: factsOf,
  },
  also: [
    {
      usage: 'user disable --user ID',
      says: 'End every session of a user and refuse further logins.',
      takes: () => ({ disabled: true }),
      facts: factsOf,
    },
    {
      usage: 'user enable --user ID',
      says: 'Let a disabled user in again, with the password that they had.',
      takes: () => ({ disabled: false }),
      facts: factsOf,
    },
  ],
});

const reset = action({
  name: 'resetUser',
  route: 'POST /users/:userId/reset',
  does: 'Take password, one-time codes and sessions away; a new set-up code is shown this once',
  who: 'installation admin',
  answers: INVITED_USER_VIEW,
  shows: USER_EXAMPLES.invitedUser,
  isSecret: true,
  refusals: ['user.not_found', 'user.provider'],
  run: async ({ directory }, { userId }) => toInvitedUserView(await directory.reset(userId)),
  trail: { after: (view) => actOn(view, '$reset-user', 'U', {}) },
});

const resetCommand = command({
  usage: 'user reset --user ID [--password-stdin]',
  summary:
    'Take password, one-time codes, sessions and a lock-out away. A new set-up code is shown, or the new password read from the standard input.',
  prepare(values) {
    const userId = required(values, 'user');
    return async (context) => {
      const password = await passwordOfInput(values);
      // The present password stays where the next one may not be the user's.
      const permit = ({ name }: { readonly name: string }): void =>
        password === null ? undefined : requirePassword(password, name);
      const run = async (): Promise<InvitedUserView> =>
        toInvitedUserView(await context.directory.reset(userId, permit));
      return describeInvited(context.login, await perform({ ...reset, run }, context, { userId }), password);
    };
  },
});

/** The users of the admin API, for installation admins. Acts go into the trail of the service itself. */
export const USER_ACTIONS = group('UsersController', [create, createCommand, list, change, reset, resetCommand]);

const OPTIONS = { displayName: 'display-name', installationAdmin: 'installation-admin' };

function actOn(
  { id, name }: UserView,
  interaction: string,
  action: 'C' | 'U',
  { roles, ...said }: z.output<typeof USER_CHANGE>,
): OperatorAct {
  const fields = Object.entries(definedOnly(said)).map(([field, value]) => [field, String(value)]);
  const held = roles === undefined ? [] : [['roles', roles.map(inWords).join(' ')]];
  const query = new URLSearchParams([['name', name], ...fields, ...held]).toString();
  return { interaction, action, resources: [`Person/${id}`], query };
}

function inWords({ role, organizationId }: UserView['roles'][number]): string {
  return `${role}@${organizationId}`;
}

/** `admin@ORG,viewer@ORG`. */
function rolesOf(text: string): { readonly role: string; readonly organizationId: string }[] {
  if (text === 'none') return [];
  return text.split(',').map((part) => {
    const [role = '', organizationId = '', more] = part.trim().split('@');
    if (organizationId === '' || more !== undefined)
      throw new CliMisuse('--roles must be ROLE@ORGANIZATION by commas.');
    return { role, organizationId };
  });
}

/** null: none is asked for. */
async function passwordOfInput(values: CliValues): Promise<string | null> {
  if (values['password-stdin'] !== true) return null;
  if (process.stdin.isTTY) process.stderr.write('Password (shown as typed; end with Enter and Ctrl-D): ');
  const [line = ''] = (await textOf(process.stdin)).split(/\r?\n/);
  return line;
}

function rolesText({ installationAdmin, roles }: UserView): string {
  return [...(installationAdmin ? ['installation admin'] : []), ...roles.map(inWords)].join(' ');
}

function factsOf(view: UserView): Record<string, string> {
  const { id, name, displayName, state } = view;
  return { 'user id': id, name, 'display name': displayName, roles: rolesText(view), state };
}

async function describeInvited(
  login: UserLogin,
  invited: InvitedUserView,
  password: string | null,
): Promise<CliReport> {
  const { setupCode, setupExpiresAt, ...user } = invited;
  if (password !== null) {
    await login.setUp(setupCode, password);
    const view: UserView = { ...user, state: 'active' };
    return factReport(view, factsOf(view));
  }
  const { text } = factReport(invited, factsOf(invited));
  const code = `set-up code  ${setupCode}\nuntil        ${setupExpiresAt}`;
  return {
    json: invited,
    text: `${text}\n\n${code}\n\nHand the code over now: it is not shown again. POST /admin/v1/session/setup takes it with the password.`,
  };
}
