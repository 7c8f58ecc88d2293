import { text as textOf } from 'node:stream/consumers';
import type { Operator } from '../../../core/tenancy/operator.js';
import { ROLES } from '../../../core/tenancy/roles.js';
import { requirePassword } from '../../../core/users/password-rule.js';
import { UserLogin } from '../../../core/users/user-login.js';
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
  onOrOff,
  required,
  definedOnly,
} from '../../../platform/cli/command-options.js';
import { factReport, tableReport } from '../../../platform/cli/command-report.js';
import { UserOperations } from './user-operations.js';
import { NEW_USER, USER_CHANGE } from './users.schema.js';
import type { InvitedUserView, UserView } from './users.views.js';

export interface UserServices {
  readonly operator: Operator;
  readonly users: UserOperations;
  readonly login: UserLogin;
}

type UserCommand = CliCommand<UserServices>;

const OPTION_OF = { displayName: 'display-name', installationAdmin: 'installation-admin' };
const ROLES_USAGE = `--roles ${ROLES.join('|')}@ORG,…`;

const create: UserCommand = {
  usage: `user create --name NAME [--display-name TEXT] [${ROLES_USAGE}] [--installation-admin on] [--password-stdin]`,
  summary:
    'Make a user of the admin API. The set-up code that is shown lets them set their password within a day; with --password-stdin the password is the first line of the standard input instead. An installation admin may do everything, and ends the use of SUTURA_ADMIN_TOKEN.',
  prepare(values) {
    const input = checkOptions(NEW_USER, { name: required(values, 'name'), ...userFields(values) }, OPTION_OF);
    return async ({ operator, users, login }) => {
      const password = values['password-stdin'] === true ? await passwordOfInput() : null;
      if (password !== null) requirePassword(password, input.name);
      const invited = await users.create(operator, input);
      return password === null ? describeInvited(invited) : setPassword(login, invited, password);
    };
  },
};

const list: UserCommand = {
  usage: 'user list',
  summary: 'List all users, disabled ones included.',
  prepare() {
    return async ({ operator, users }) =>
      tableReport(await users.list(operator), {
        USER: ({ id }) => id,
        NAME: ({ name }) => name,
        'DISPLAY NAME': ({ displayName }) => displayName,
        STATE: ({ state }) => state,
        ROLES: rolesText,
        'LAST LOGIN': ({ lastLoginAt }) => lastLoginAt,
      });
  },
};

const set: UserCommand = {
  usage: `user set --user ID [--display-name TEXT] [${ROLES_USAGE}|none] [--installation-admin on|off]`,
  summary: 'Change a user. Roles take the place of those that there were; takes effect with the next request.',
  prepare(values) {
    const userId = required(values, 'user');
    const change = checkOptions(USER_CHANGE, userFields(values), OPTION_OF);
    return async ({ operator, users }) => describe(await users.change(operator, userId, change));
  },
};

const disable = commandOn<UserServices>(
  { name: 'user disable', summary: 'End every session of a user and refuse further logins.', by: 'user' },
  async ({ operator, users }, userId) => describe(await users.change(operator, userId, { disabled: true })),
);

const enable = commandOn<UserServices>(
  { name: 'user enable', summary: 'Let a disabled user in again, with the password that they had.', by: 'user' },
  async ({ operator, users }, userId) => describe(await users.change(operator, userId, { disabled: false })),
);

const reset: UserCommand = {
  usage: 'user reset --user ID [--password-stdin]',
  summary:
    'Take password, one-time codes, sessions and a lock-out away. A new set-up code is shown, or the new password read from the standard input.',
  prepare(values) {
    const userId = required(values, 'user');
    return async ({ operator, users, login }) => {
      const password = values['password-stdin'] === true ? await passwordOfInput() : null;
      const invited = await users.reset(operator, userId, password ?? undefined);
      return password === null ? describeInvited(invited) : setPassword(login, invited, password);
    };
  },
};

/** Users of the admin API. */
export const USER_COMMANDS: CommandGroup<UserServices> = {
  providers: [UserOperations],
  services: (app, operator) => ({ operator, users: app.get(UserOperations), login: app.get(UserLogin) }),
  commands: [create, list, set, disable, enable, reset],
};

function userFields(values: CliValues): Record<string, unknown> {
  return definedOnly<unknown>({
    displayName: optional(values, 'display-name'),
    installationAdmin: onOrOff(optional(values, 'installation-admin'), 'installation-admin'),
    roles: rolesOf(optional(values, 'roles')),
  });
}

/** `admin@ORG,viewer@ORG`. */
function rolesOf(text: string | undefined): { readonly role: string; readonly organizationId: string }[] | undefined {
  if (text === undefined) return undefined;
  if (text === 'none') return [];
  return text.split(',').map((part) => {
    const [role = '', organizationId = '', more] = part.trim().split('@');
    if (organizationId === '' || more !== undefined)
      throw new CliMisuse('--roles must be ROLE@ORGANIZATION by commas.');
    return { role, organizationId };
  });
}

async function passwordOfInput(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('Password (shown as typed; end with Enter and Ctrl-D): ');
  const [line = ''] = (await textOf(process.stdin)).split(/\r?\n/);
  return line;
}

async function setPassword(
  login: UserLogin,
  { setupCode, setupExpiresAt: _, ...view }: InvitedUserView,
  password: string,
): Promise<CliReport> {
  await login.setUp(setupCode, password);
  return describe({ ...view, state: 'active' });
}

function rolesText({ installationAdmin, roles }: UserView): string {
  const held = roles.map(({ role, organizationId }) => `${role}@${organizationId}`);
  return [...(installationAdmin ? ['installation admin'] : []), ...held].join(' ');
}

function describe(view: UserView): CliReport {
  const { id, name, displayName, state } = view;
  return factReport(view, { 'user id': id, name, 'display name': displayName, roles: rolesText(view), state });
}

function describeInvited(view: InvitedUserView): CliReport {
  const { text } = describe(view);
  const code = `set-up code  ${view.setupCode}\nuntil        ${view.setupExpiresAt}`;
  return {
    json: view,
    text: `${text}\n\n${code}\n\nHand the code over now: it is not shown again. POST /admin/v1/session/setup takes it with the password.`,
  };
}
