import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { AuditTrail } from '../../../core/audit/audit-trail.js';
import type { HeldActor } from '../../../core/held/held-item.js';
import { readHeldCursor } from '../../../core/held/held-source.js';
import { HeldService } from '../../../core/held/held.service.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { CurrentCaller, RequiresScope } from '../../../identity/index.js';
import { jsonAnswer, type HttpAnswer } from '../../../platform/http/http-answer.js';
import { invalidInput } from '../../../platform/http/parse-input.js';
import { JsonBody, QueryInput } from '../../../platform/http/zod.pipe.js';
import { accessTo, listingOf } from '../audit/native-access.js';
import { pageSizeOf } from '../paging/page.js';
import { ApiRoute } from '../route/api-route.decorator.js';
import { LIST_HELD, READ_HELD, RESOLVE_HELD } from './held.routes.js';
import { heldQuerySchema, resolutionSchema, toHeldView, type HeldQuery, type ResolutionBody } from './held.schema.js';

/** What waits for a person in the organization and environment of the key. */
@Controller('api/v1/held')
export class HeldController {
  constructor(
    private readonly held: HeldService,
    private readonly audit: AuditTrail,
  ) {}

  @Get()
  @ApiRoute(LIST_HELD)
  @RequiresScope('analysis:review')
  async list(@CurrentCaller() caller: Caller, @QueryInput(heldQuerySchema) query: HeldQuery): Promise<HttpAnswer> {
    const { reason = null, olderThanS, cursor } = query;
    const after = cursor === undefined ? null : readHeldCursor(cursor);
    if (cursor !== undefined && after === null) throw invalidInput('/query/cursor', 'is not a cursor of this service');
    const { items, nextCursor } = await this.held.page(caller, {
      reason,
      olderThanS: olderThanS === undefined ? null : Number(olderThanS),
      after,
      limit: pageSizeOf(query),
    });
    const patients = items.flatMap(({ came }) => came.patientIds);
    await this.audit.recordNow(caller, listingOf('Basic', patients, query));
    return jsonAnswer(200, { items: items.map(toHeldView), nextCursor });
  }

  @Get(':id')
  @ApiRoute(READ_HELD)
  @RequiresScope('analysis:review')
  async read(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<HttpAnswer> {
    const item = await this.held.find(caller, id);
    await this.audit.recordNow(caller, accessTo('R', `Basic/${id}`, { patients: item.came.patientIds }));
    return jsonAnswer(200, toHeldView(item));
  }

  @Post(':id/resolve')
  @HttpCode(200)
  @ApiRoute(RESOLVE_HELD)
  @RequiresScope('analysis:review')
  async resolve(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @JsonBody(resolutionSchema) body: ResolutionBody,
  ): Promise<HttpAnswer> {
    const { came } = await this.held.find(caller, id);
    // Before it is done: a decision that cannot be recorded is not made.
    await this.audit.recordNow(
      caller,
      accessTo('U', `Basic/${id}`, { patients: came.patientIds }, `$resolve-held ${body.action}`),
    );
    return jsonAnswer(200, toHeldView(await this.held.resolve(caller, id, body, actorOf(caller))));
  }
}

function actorOf({ keyId, person }: Caller): HeldActor {
  return { name: keyId, ...(person === undefined ? {} : { person }) };
}
