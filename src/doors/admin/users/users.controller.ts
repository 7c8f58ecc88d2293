import { Controller, Get, Headers, HttpCode, Param, Patch, Post } from '@nestjs/common';
import type { Operator } from '../../../core/tenancy/operator.js';
import { NeverPacked } from '../../../platform/http/packed-answers.js';
import { JsonBody } from '../../../platform/http/zod.pipe.js';
import { AdminRoute } from '../../../identity/guards/admin-route.decorator.js';
import { CurrentOperator } from '../../../identity/guards/operator-of-request.js';
import { DescribesAdmin } from '../../../identity/index.js';
import { UserOperations } from './user-operations.js';
import { USER_EXAMPLES } from './users.examples.js';
import { NEW_USER, USER_CHANGE, type NewUserInput, type UserChangeInput } from './users.schema.js';
import type { InvitedUserView, UserView } from './users.views.js';

const IN_PATH = { userId: USER_EXAMPLES.user.id } as const;

/** The users of the admin API, for installation admins. */
@AdminRoute()
@Controller('admin/v1/users')
export class UsersController {
  constructor(private readonly operations: UserOperations) {}

  @Post()
  @NeverPacked()
  @HttpCode(201)
  @DescribesAdmin({
    operationId: 'createUser',
    summary: 'Make a user; the set-up code is shown this once and works for a day',
    body: NEW_USER,
    example: { name: 'anna', roles: USER_EXAMPLES.user.roles },
    status: 201,
    answer: USER_EXAMPLES.invitedUser,
    inPath: {},
    refusals: ['user.name_taken', 'organization.not_found'],
  })
  create(@CurrentOperator() operator: Operator, @JsonBody(NEW_USER) input: NewUserInput): Promise<InvitedUserView> {
    return this.operations.create(operator, input);
  }

  @Get()
  @DescribesAdmin({
    operationId: 'listUsers',
    summary: 'List all users, disabled ones included',
    status: 200,
    answer: { items: [USER_EXAMPLES.user] },
  })
  async list(@CurrentOperator() operator: Operator): Promise<{ readonly items: readonly UserView[] }> {
    return { items: await this.operations.list(operator) };
  }

  @Patch(':userId')
  @DescribesAdmin({
    operationId: 'changeUser',
    summary:
      'Change name or roles, or disable a user; takes effect with the next request of each session; with the etag of the user as If-Match only if nobody changed them since',
    body: USER_CHANGE,
    example: { disabled: true },
    status: 200,
    answer: { ...USER_EXAMPLES.user, state: 'disabled', disabledAt: '2026-03-15T08:40:05.000Z' },
    inPath: IN_PATH,
    refusals: ['user.not_found', 'user.changed', 'user.last_admin', 'organization.not_found'],
  })
  change(
    @CurrentOperator() operator: Operator,
    @Param('userId') userId: string,
    @JsonBody(USER_CHANGE) change: UserChangeInput,
    @Headers('if-match') ifMatch?: string,
  ): Promise<UserView> {
    return this.operations.change(operator, userId, change, ifMatch);
  }

  @Post(':userId/reset')
  @NeverPacked()
  @HttpCode(200)
  @DescribesAdmin({
    operationId: 'resetUser',
    summary: 'Take password, one-time codes and sessions away; a new set-up code is shown this once',
    status: 200,
    answer: USER_EXAMPLES.invitedUser,
    inPath: IN_PATH,
    refusals: ['user.not_found', 'user.provider'],
  })
  reset(@CurrentOperator() operator: Operator, @Param('userId') userId: string): Promise<InvitedUserView> {
    return this.operations.reset(operator, userId);
  }
}
