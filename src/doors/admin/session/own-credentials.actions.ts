import { z } from 'zod';
import { NameDirectory } from '../../../core/organizations/name-directory.js';
import { UserLogin } from '../../../core/users/user-login.js';
import { adminGroup } from '../action/admin-group.js';
import { USER_EXAMPLES } from '../users/users.examples.js';
import { oneTimeCode, password } from '../users/users.schema.js';
import { SESSION_VIEW } from '../users/users.views.js';
import { onSelf, toSessionView } from './session-operations.js';

const PASSWORD = 'correct horse battery staple';

const { action, group } = adminGroup({ login: UserLogin, names: NameDirectory });

const read = action({
  name: 'readSession',
  route: 'GET /session',
  does: 'Who is logged in, with which roles',
  who: 'session',
  answers: SESSION_VIEW,
  shows: USER_EXAMPLES.session,
  isSecret: true,
  run: ({ session, names }) => toSessionView(session!, names),
  trail: 'none',
});

const changePassword = action({
  name: 'changePassword',
  route: 'POST /session/password',
  does: 'Change one’s own password; every session ends, this one too',
  who: 'session',
  body: z.strictObject({ password, newPassword: password }),
  example: { password: PASSWORD, newPassword: 'seven suns over one meadow' },
  refusals: ['login.refused', 'login.locked', 'login.busy', 'user.password'],
  run: ({ login, session }, { password: present, newPassword }) => login.changePassword(session!, present, newPassword),
  trail: { after: (_, __, { session }) => onSelf(session!.user, '$set-password', 'by=password') },
});

const offerCodes = action({
  name: 'offerOneTimeCodes',
  route: 'POST /session/codes',
  does: 'A secret for an authenticator app (RFC 6238), shown this once; in force once a code of it was sent',
  who: 'session',
  body: z.strictObject({ password }),
  example: { password: PASSWORD },
  answers: z.object({ secret: z.string(), address: z.string() }),
  shows: { secret: '…', address: 'otpauth://totp/Sutura:anna?issuer=Sutura&secret=…' },
  isSecret: true,
  refusals: ['login.refused', 'login.locked', 'login.busy'],
  run: ({ login, session }, { password: present }) => login.offerCodes(session!.user, present),
  trail: { after: (_, __, { session }) => onSelf(session!.user, '$offer-codes') },
});

const confirmCodes = action({
  name: 'confirmOneTimeCodes',
  route: 'PUT /session/codes',
  does: 'Show by a code that the app has the secret; from now on each login needs a code',
  who: 'session',
  body: z.strictObject({ code: oneTimeCode }),
  example: { code: '123456' },
  refusals: ['login.refused', 'login.locked'],
  run: ({ login, session }, { code }) => login.confirmCodes(session!.user, code),
  trail: { after: (_, __, { session }) => onSelf(session!.user, '$confirm-codes') },
});

/** What users do about themselves. */
export const OWN_CREDENTIAL_ACTIONS = group('OwnCredentialsController', [
  read,
  changePassword,
  offerCodes,
  confirmCodes,
]);
