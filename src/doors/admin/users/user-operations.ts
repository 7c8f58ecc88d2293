import { Injectable } from '@nestjs/common';
import { OperatorTrail } from '../../../core/audit/operator-trail.js';
import type { Operator } from '../../../core/tenancy/operator.js';
import { requirePassword } from '../../../core/users/password-rule.js';
import type { UserRole } from '../../../core/tenancy/roles.js';
import { UserDirectory } from '../../../core/users/user-directory.js';
import type { NewUserInput, UserChangeInput } from './users.schema.js';
import { isAsRead, toInvitedUserView, toUserView, type InvitedUserView, type UserView } from './users.views.js';

/**
 * UserDirectory for the admin API and the command line. Each act goes into the trail of the service itself. Errors are those of UserDirectory;
 * `service.unavailable` where the act was done and cannot be recorded.
 */
@Injectable()
export class UserOperations {
  constructor(
    private readonly directory: UserDirectory,
    private readonly trail: OperatorTrail,
  ) {}

  async create(operator: Operator, input: NewUserInput): Promise<InvitedUserView> {
    const { name, displayName = name, installationAdmin, roles } = input;
    const wish = { name, displayName, isInstallationAdmin: installationAdmin, roles };
    const view = toInvitedUserView(await this.directory.create(wish));
    await this.record(operator, '$create-user', 'C', view, { installationAdmin, roles });
    return view;
  }

  async list(operator: Operator): Promise<UserView[]> {
    await this.trail.record(operator, { interaction: '$list-users', action: 'R', resources: [] });
    return (await this.directory.list()).map(toUserView);
  }

  async change(operator: Operator, userId: string, change: UserChangeInput, ifMatch?: string): Promise<UserView> {
    const { installationAdmin: isInstallationAdmin, ...rest } = change;
    const changed = await this.directory.change(userId, { ...rest, isInstallationAdmin }, (present) =>
      isAsRead(present, ifMatch),
    );
    const view = toUserView(changed);
    await this.record(operator, '$change-user', 'U', view, change);
    return view;
  }

  /** @param nextPassword `user.password` where it may not be the user's; the present one stays then. */
  async reset(operator: Operator, userId: string, nextPassword?: string): Promise<InvitedUserView> {
    const invited = await this.directory.reset(userId, ({ name }) => {
      if (nextPassword !== undefined) requirePassword(nextPassword, name);
    });
    const view = toInvitedUserView(invited);
    await this.record(operator, '$reset-user', 'U', view, {});
    return view;
  }

  private record(
    operator: Operator,
    interaction: string,
    action: 'C' | 'U',
    { id, name }: UserView,
    { roles, ...said }: Partial<UserChangeInput>,
  ): Promise<void> {
    const fields = Object.entries(said).flatMap(([field, value]): [string, string][] =>
      value === undefined ? [] : [[field, String(value)]],
    );
    const query = new URLSearchParams([['name', name], ...fields, ...rolesText(roles)]);
    return this.trail.record(operator, {
      interaction,
      action,
      resources: [`Person/${id}`],
      query: query.toString(),
    });
  }
}

function rolesText(roles: readonly UserRole[] | undefined): [string, string][] {
  if (roles === undefined) return [];
  return [['roles', roles.map(({ organizationId, role }) => `${role}@${organizationId}`).join(' ')]];
}
