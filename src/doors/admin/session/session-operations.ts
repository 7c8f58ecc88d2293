import { Injectable } from '@nestjs/common';
import { OperatorTrail, type OperatorAct } from '../../../core/audit/operator-trail.js';
import type { Operator } from '../../../core/tenancy/operator.js';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { NameDirectory } from '../../../core/organizations/name-directory.js';
import type { RequestOrigin } from '../../../core/tenancy/api-key.js';
import type { LoginDevice } from '../../../core/users/login-devices.js';
import {
  UserLogin,
  type IdentifiedUser,
  type LoginAttempt,
  type OpenedSession,
  type IssuedDevice,
} from '../../../core/users/user-login.js';
import { UserRepository } from '../../../core/users/user.repository.js';
import type { UserRecord } from '../../../core/users/user.js';
import type { HeldSession } from '../../../identity/guards/operator-of-request.js';
import { csrfTokenOf } from '../../../identity/sessions/session-cookie.js';
import type { LoginInput, SetupInput } from '../users/users.schema.js';
import { toUserView, type SessionView, type UserView } from '../users/users.views.js';

/** A session just opened: what the browser is to hold, and what its page is told. */
export interface LoggedIn {
  readonly opened: OpenedSession;
  readonly view: SessionView;
}

/** What the browser is to hold, so that it is known at the next login. */
export interface DeviceAnswer<View> {
  readonly device: IssuedDevice;
  readonly view: View;
}

/** UserLogin for the admin API. Logins go into the trail of the service itself before the browser gets its cookie; refusals get there with all others. */
@Injectable()
export class SessionOperations {
  constructor(
    private readonly login: UserLogin,
    private readonly users: UserRepository,
    private readonly trail: OperatorTrail,
    private readonly names: NameDirectory,
  ) {}

  /** As UserLogin.deviceOf. */
  deviceOf(name: string, text: string | null): Promise<LoginDevice | null> {
    return this.login.deviceOf(name, text);
  }

  /** Errors of UserLogin.identify; `route.not_found` where there are no users. `known`: as there. */
  async logIn(
    origin: RequestOrigin,
    input: LoginInput & Pick<LoginAttempt, 'device'>,
    known: (user: UserRecord) => void,
  ): Promise<LoggedIn & DeviceAnswer<SessionView>> {
    await this.requireUsers();
    const user = await this.login.identify(input, known);
    // Before the session, which names it.
    const device = await this.login.remember(user.id, user.passwordHash!, input.device);
    return { ...(await this.admit(origin, { ...user, device }, 'password')), device };
  }

  /** A session of a user who proved to be one. `by`: how. */
  async admit(origin: RequestOrigin, user: UserRecord & IdentifiedUser, by: string): Promise<LoggedIn> {
    await this.record(origin, user, '$login', `by=${by}`);
    const opened = await this.login.open(user);
    const held = { user, expiresAt: opened.expiresAt, held: opened.text };
    return { opened, view: await toSessionView(held, this.names) };
  }

  async logOut({ user, held }: HeldSession, operator: Operator): Promise<void> {
    await this.login.end(held);
    await this.trail.record(operator, onSelf(user, '$logout'));
  }

  /** As UserLogin.setUp; `route.not_found` where there are no users. */
  async setUp(origin: RequestOrigin, { setupCode, password }: SetupInput): Promise<DeviceAnswer<UserView>> {
    await this.requireUsers();
    const { user, device } = await this.login.setUp(setupCode, password);
    await this.record(origin, user, '$set-password', 'by=setup-code');
    return { device, view: toUserView({ ...user, hasPassword: true }) };
  }

  private async requireUsers(): Promise<void> {
    if (!(await this.users.hasUsers())) throw new SuturaError('route.not_found');
  }

  private record(origin: RequestOrigin, user: UserRecord, interaction: string, query: string): Promise<void> {
    return this.trail.record({ door: 'admin', name: `user:${user.name}`, origin }, onSelf(user, interaction, query));
  }
}

/** With the names of the organizations that the user has a role in. */
export async function toSessionView(
  { user, expiresAt, held }: HeldSession,
  directory: NameDirectory,
): Promise<SessionView> {
  const ids = [...new Set(user.roles.map(({ organizationId }) => organizationId))];
  const names = await directory.namesOf(ids);
  return {
    user: toUserView(user),
    organizations: ids.map((id) => ({ id, name: names.organization(id) })),
    csrfToken: csrfTokenOf(held),
    expiresAt: expiresAt.toISOString(),
  };
}

/** What the trail says of an act of a user on their own account. */
export function onSelf({ id }: Pick<UserRecord, 'id'>, interaction: string, query?: string): OperatorAct {
  return { interaction, action: 'E', resources: [`Person/${id}`], query };
}
