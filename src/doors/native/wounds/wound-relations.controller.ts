import { Controller, Delete, Param, Post } from '@nestjs/common';
import { AuditTrail } from '../../../core/audit/audit-trail.js';
import type { RelationKind } from '../../../core/followup/wound-relation.js';
import { UnitOfWork, type TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { WoundRelationService, type FiledRelation } from '../../../core/wounds/wound-relation.service.js';
import { CurrentCaller, RequiresScope } from '../../../identity/index.js';
import { jsonAnswer, type HttpAnswer } from '../../../platform/http/http-answer.js';
import { JsonBody } from '../../../platform/http/zod.pipe.js';
import { accessTo } from '../audit/native-access.js';
import { IdempotencyKeyHeader } from '../idempotency/idempotency-key.decorator.js';
import { IdempotentRequests } from '../idempotency/idempotent-requests.js';
import { ApiRoute } from '../route/api-route.decorator.js';
import { woundPath } from '../route/paths.js';
import {
  relationWithdrawalBody,
  toWoundRelationView,
  woundJoinSchema,
  woundSplitSchema,
  type RelationWithdrawalBody,
  type WoundJoinBody,
  type WoundSplitBody,
} from './wound-relation.schema.js';
import { JOIN_WOUNDS, SPLIT_WOUND, WITHDRAW_RELATION } from './wound-relations.routes.js';

/** Wounds that grew together, and such that fell into several. */
@Controller('api/v1/wounds/:id')
export class WoundRelationsController {
  constructor(
    private readonly relations: WoundRelationService,
    private readonly unitOfWork: UnitOfWork,
    private readonly requests: IdempotentRequests,
    private readonly audit: AuditTrail,
  ) {}

  @Post('join')
  @ApiRoute(JOIN_WOUNDS)
  @RequiresScope('analysis:review')
  join(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @JsonBody(woundJoinSchema) body: WoundJoinBody,
    @IdempotencyKeyHeader() key: string | null,
  ): Promise<HttpAnswer> {
    const route = `POST ${woundPath(id)}/join`;
    return this.requests.run(caller, { route, key, body }, (transaction) =>
      this.relate(transaction, caller, id, 'joined', { ...body, parts: body.from }),
    );
  }

  @Post('split')
  @ApiRoute(SPLIT_WOUND)
  @RequiresScope('analysis:review')
  split(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @JsonBody(woundSplitSchema) body: WoundSplitBody,
    @IdempotencyKeyHeader() key: string | null,
  ): Promise<HttpAnswer> {
    const route = `POST ${woundPath(id)}/split`;
    return this.requests.run(caller, { route, key, body }, (transaction) =>
      this.relate(transaction, caller, id, 'split', { ...body, parts: body.into }),
    );
  }

  @Delete('relations/:relationId')
  @ApiRoute(WITHDRAW_RELATION)
  @RequiresScope('analysis:review')
  withdraw(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Param('relationId') relationId: string,
    @JsonBody(relationWithdrawalBody) body: RelationWithdrawalBody,
  ): Promise<HttpAnswer> {
    return this.unitOfWork.inTenant(caller, async (transaction) => {
      const said = { note: body.note ?? null, by: body.by ?? null, enteredBy: caller.person };
      const filed = await this.relations.withdraw(transaction, id, relationId, said);
      await this.recordAccess(transaction, caller, filed, `withdrew ${filed.relation.kind}`);
      return jsonAnswer(200, toWoundRelationView(filed.relation));
    });
  }

  private async relate(
    transaction: TenantTransaction,
    caller: Caller,
    wholeId: string,
    kind: RelationKind,
    { parts, at, note, by }: Omit<WoundJoinBody, 'from'> & { readonly parts: readonly string[] },
  ): Promise<HttpAnswer> {
    const filed = await this.relations.relate(transaction, {
      kind,
      wholeId,
      partIds: parts,
      at: new Date(at),
      note: note ?? null,
      by: by ?? null,
      enteredBy: caller.person,
    });
    await this.recordAccess(transaction, caller, filed, `recorded ${kind}`);
    return jsonAnswer(201, toWoundRelationView(filed.relation));
  }

  private recordAccess(
    transaction: TenantTransaction,
    caller: Caller,
    { wound }: FiledRelation,
    what: string,
  ): Promise<void> {
    const told = accessTo('U', `BodyStructure/${wound.id}`, { patients: [wound.patientId] }, what);
    return this.audit.record(transaction, caller, told);
  }
}
