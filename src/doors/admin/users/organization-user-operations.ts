import { Injectable } from '@nestjs/common';
import { OperatorTrail } from '../../../core/audit/operator-trail.js';
import type { Operator } from '../../../core/tenancy/operator.js';
import { OrganizationUsers } from '../../../core/users/organization-users.js';
import type { UserRecord } from '../../../core/users/user.js';
import type { NewOrganizationUserInput, OrganizationUserChangeInput } from './users.schema.js';
import { toOrganizationUserView, type InvitedOrganizationUserView, type OrganizationUserView } from './users.views.js';

const USER = 'user:';

/** OrganizationUsers for the admin API. Each act goes into the organization's trail. Errors are those of OrganizationUsers. */
@Injectable()
export class OrganizationUserOperations {
  constructor(
    private readonly users: OrganizationUsers,
    private readonly trail: OperatorTrail,
  ) {}

  async list(operator: Operator, organizationId: string): Promise<OrganizationUserView[]> {
    const of = { organizationId };
    await this.trail.record(operator, { interaction: '$list-users', action: 'R', of, resources: [] });
    return (await this.users.list(organizationId)).map((user) => toOrganizationUserView(user, organizationId));
  }

  async create(
    operator: Operator,
    organizationId: string,
    { name, displayName = name, role }: NewOrganizationUserInput,
  ): Promise<InvitedOrganizationUserView> {
    const { user, ...code } = await this.users.create(organizationId, { name, displayName, role });
    await this.record(operator, organizationId, '$create-user', user, { role });
    return invitedView(user, organizationId, code);
  }

  async change(
    operator: Operator,
    organizationId: string,
    userId: string,
    change: OrganizationUserChangeInput,
  ): Promise<OrganizationUserView> {
    const user = await this.users.change(organizationId, userId, change, askerOf(operator));
    await this.record(operator, organizationId, '$change-user', user, change);
    return toOrganizationUserView(user, organizationId);
  }

  async reset(operator: Operator, organizationId: string, userId: string): Promise<InvitedOrganizationUserView> {
    const { user, ...code } = await this.users.reset(organizationId, userId, askerOf(operator));
    await this.record(operator, organizationId, '$reset-user', user, {});
    return invitedView(user, organizationId, code);
  }

  private record(
    operator: Operator,
    organizationId: string,
    interaction: string,
    { id, name }: UserRecord,
    said: OrganizationUserChangeInput,
  ): Promise<void> {
    const fields = Object.entries(said).flatMap(([field, value]): [string, string][] =>
      value === undefined ? [] : [[field, String(value ?? 'none')]],
    );
    return this.trail.record(operator, {
      interaction,
      action: interaction === '$create-user' ? 'C' : 'U',
      of: { organizationId },
      resources: [`Person/${id}`],
      query: new URLSearchParams([['name', name], ...fields]).toString(),
    });
  }
}

/** null: no user, but whoever has the admin token. */
function askerOf({ name }: Operator): string | null {
  return name.startsWith(USER) ? name.slice(USER.length) : null;
}

function invitedView(
  user: UserRecord,
  organizationId: string,
  { setupCode, setupExpiresAt }: { readonly setupCode: string; readonly setupExpiresAt: Date },
): InvitedOrganizationUserView {
  const view = toOrganizationUserView(user, organizationId);
  return { ...view, setupCode, setupExpiresAt: setupExpiresAt.toISOString() };
}
