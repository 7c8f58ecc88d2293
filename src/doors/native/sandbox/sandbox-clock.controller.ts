import { setTimeout as pause } from 'node:timers/promises';
import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { AuditTrail } from '../../../core/audit/audit-trail.js';
import { CLOCK_SETTLES_MS, SandboxClock } from '../../../core/organizations/sandbox-clock.js';
import { UnitOfWork } from '../../../core/ports/unit-of-work.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { CurrentCaller, RequiresScope } from '../../../identity/index.js';
import { jsonAnswer, type HttpAnswer } from '../../../platform/http/http-answer.js';
import { JsonBody } from '../../../platform/http/zod.pipe.js';
import { accessTo } from '../audit/native-access.js';
import { IdempotencyKeyHeader } from '../idempotency/idempotency-key.decorator.js';
import { IdempotentRequests } from '../idempotency/idempotent-requests.js';
import { ApiRoute } from '../route/api-route.decorator.js';
import { CLOCK_PATH, MOVE_CLOCK, READ_CLOCK } from './sandbox-clock.routes.js';
import { clockRequestSchema, toClockChange, toClockView, type ClockRequest } from './sandbox-clock.schema.js';

/** The clock of the test environment: nobody's data. */
@Controller('api/v1/sandbox/clock')
export class SandboxClockController {
  constructor(
    private readonly clock: SandboxClock,
    private readonly unitOfWork: UnitOfWork,
    private readonly requests: IdempotentRequests,
    private readonly audit: AuditTrail,
  ) {}

  @Get()
  @ApiRoute(READ_CLOCK)
  @RequiresScope('analysis:write')
  async read(@CurrentCaller() caller: Caller): Promise<HttpAnswer> {
    const time = await this.unitOfWork.inTenant(caller, (transaction) => this.clock.read(transaction));
    return jsonAnswer(200, toClockView(time));
  }

  @Post()
  @HttpCode(200)
  @ApiRoute(MOVE_CLOCK)
  @RequiresScope('analysis:write')
  async move(
    @CurrentCaller() caller: Caller,
    @JsonBody(clockRequestSchema) body: ClockRequest,
    @IdempotencyKeyHeader() key: string | null,
  ): Promise<HttpAnswer> {
    const answer = await this.requests.run(caller, { route: `POST ${CLOCK_PATH}`, key, body }, async (transaction) => {
      const time = await this.clock.change(transaction, toClockChange(body));
      const told = accessTo('U', `Organization/${caller.organizationId}`, {}, `clock=${time.now.toISOString()}`);
      await this.audit.record(transaction, caller, told);
      return jsonAnswer(200, toClockView(time));
    });
    // Whoever asks next, of whichever process, finds the clock where this answer says.
    await pause(CLOCK_SETTLES_MS);
    return answer;
  }
}
