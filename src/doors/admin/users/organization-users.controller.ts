import { Controller, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import type { Operator } from '../../../core/tenancy/operator.js';
import { NeverPacked } from '../../../platform/http/packed-answers.js';
import { JsonBody } from '../../../platform/http/zod.pipe.js';
import { IN_PATH } from '../../../identity/guards/admin-access.js';
import { AdminRoute, NeedsRole } from '../../../identity/guards/admin-route.decorator.js';
import { CurrentOperator } from '../../../identity/guards/operator-of-request.js';
import { ADMIN_EXAMPLE_IDS, DescribesAdmin } from '../../../identity/index.js';
import { OrganizationUserOperations } from './organization-user-operations.js';
import { USER_EXAMPLES } from './users.examples.js';
import {
  NEW_ORGANIZATION_USER,
  ORGANIZATION_USER_CHANGE,
  type NewOrganizationUserInput,
  type OrganizationUserChangeInput,
} from './users.schema.js';
import type { InvitedOrganizationUserView, OrganizationUserView } from './users.views.js';

const OF_ORGANIZATION = { organizationId: ADMIN_EXAMPLE_IDS.organizationId };
const OF_USER = { ...OF_ORGANIZATION, userId: USER_EXAMPLES.user.id };

/** The users of an organization, for its own admins. */
@AdminRoute()
@Controller('admin/v1/organizations/:organizationId/users')
export class OrganizationUsersController {
  constructor(private readonly operations: OrganizationUserOperations) {}

  @Post()
  @NeverPacked()
  @HttpCode(201)
  @NeedsRole('admin', IN_PATH)
  @DescribesAdmin({
    operationId: 'createOrganizationUser',
    summary: 'Make a user with a role in this organization; the set-up code is shown this once and works for a day',
    body: NEW_ORGANIZATION_USER,
    example: { name: 'anna', role: 'viewer' },
    status: 201,
    answer: USER_EXAMPLES.invitedOrganizationUser,
    inPath: OF_ORGANIZATION,
    refusals: ['user.name_taken', 'organization.not_found'],
  })
  create(
    @CurrentOperator() operator: Operator,
    @Param('organizationId') organizationId: string,
    @JsonBody(NEW_ORGANIZATION_USER) input: NewOrganizationUserInput,
  ): Promise<InvitedOrganizationUserView> {
    return this.operations.create(operator, organizationId, input);
  }

  @Get()
  @NeedsRole('admin', IN_PATH)
  @DescribesAdmin({
    operationId: 'listOrganizationUsers',
    summary: 'The users with a role in this organization, and those who had one',
    status: 200,
    answer: { items: [USER_EXAMPLES.organizationUser] },
    inPath: OF_ORGANIZATION,
  })
  async list(
    @CurrentOperator() operator: Operator,
    @Param('organizationId') organizationId: string,
  ): Promise<{ readonly items: readonly OrganizationUserView[] }> {
    return { items: await this.operations.list(operator, organizationId) };
  }

  @Patch(':userId')
  @NeedsRole('admin', IN_PATH)
  @DescribesAdmin({
    operationId: 'changeOrganizationUser',
    summary:
      'Change the role in this organization, take it away or give it again, or disable a user of this organization alone',
    body: ORGANIZATION_USER_CHANGE,
    example: { role: null },
    status: 200,
    answer: { ...USER_EXAMPLES.organizationUser, role: null },
    inPath: OF_USER,
    refusals: ['user.not_found', 'user.self', 'user.elsewhere'],
  })
  change(
    @CurrentOperator() operator: Operator,
    @Param('organizationId') organizationId: string,
    @Param('userId') userId: string,
    @JsonBody(ORGANIZATION_USER_CHANGE) change: OrganizationUserChangeInput,
  ): Promise<OrganizationUserView> {
    return this.operations.change(operator, organizationId, userId, change);
  }

  @Post(':userId/reset')
  @NeverPacked()
  @HttpCode(200)
  @NeedsRole('admin', IN_PATH)
  @DescribesAdmin({
    operationId: 'resetOrganizationUser',
    summary:
      'Take password, one-time codes and sessions of a user of this organization alone away; a new set-up code is shown this once',
    status: 200,
    answer: USER_EXAMPLES.invitedOrganizationUser,
    inPath: OF_USER,
    refusals: ['user.not_found', 'user.self', 'user.elsewhere', 'user.provider'],
  })
  reset(
    @CurrentOperator() operator: Operator,
    @Param('organizationId') organizationId: string,
    @Param('userId') userId: string,
  ): Promise<InvitedOrganizationUserView> {
    return this.operations.reset(operator, organizationId, userId);
  }
}
