import { ADMIN_EXAMPLE_IDS } from '../../../identity/index.js';
import {
  toOrganizationUserView,
  type InvitedOrganizationUserView,
  type InvitedUserView,
  type SessionView,
  type UserView,
} from './users.views.js';

const user: UserView = {
  id: '01997f2e-9999-7000-8000-000000000009',
  userId: '01997f2e-9999-7000-8000-000000000009',
  name: 'anna',
  displayName: 'Anna Example',
  installationAdmin: false,
  roles: [{ organizationId: ADMIN_EXAMPLE_IDS.organizationId, role: 'integrator' }],
  state: 'active',
  oneTimeCodes: false,
  createdAt: '2026-01-05T08:30:00.000Z',
  disabledAt: null,
  lastLoginAt: '2026-03-15T08:40:05.000Z',
  etag: '"p0Zq2mCkVw1mB7xT4nYd9sLr3hE"',
};

const invitedUser: InvitedUserView = {
  ...user,
  state: 'invited',
  lastLoginAt: null,
  setupCode: '…',
  setupExpiresAt: '2026-01-06T08:30:00.000Z',
};

const organizationUser = toOrganizationUserView(
  {
    ...user,
    isInstallationAdmin: false,
    hasPassword: true,
    hasCodes: false,
    hasProvider: false,
    setupBy: null,
    disabledAt: null,
    createdAt: new Date(user.createdAt),
    lastLoginAt: new Date(user.lastLoginAt!),
  },
  ADMIN_EXAMPLE_IDS.organizationId,
);
const { setupCode, setupExpiresAt } = invitedUser;
const invitedOrganizationUser: InvitedOrganizationUserView = {
  ...organizationUser,
  state: 'invited',
  lastLoginAt: null,
  setupCode,
  setupExpiresAt,
};

const session: SessionView = {
  user,
  organizations: [{ id: ADMIN_EXAMPLE_IDS.organizationId, name: 'Ward 7' }],
  csrfToken: '…',
  expiresAt: '2026-03-15T20:40:05.000Z',
};

export const USER_EXAMPLES = { user, invitedUser, organizationUser, invitedOrganizationUser, session } as const;
