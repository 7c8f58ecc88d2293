import { ORGANIZATION_EXAMPLES } from './organizations.examples.js';
import { Controller, Delete, HttpCode, Param, Patch, Post } from '@nestjs/common';
import type { Operator } from '../../../core/tenancy/operator.js';
import { NeverPacked } from '../../../platform/http/packed-answers.js';
import { JsonBody } from '../../../platform/http/zod.pipe.js';
import { ownerInPath } from '../../../identity/guards/admin-access.js';
import { AdminRoute, NeedsRole } from '../../../identity/guards/admin-route.decorator.js';
import { CurrentOperator } from '../../../identity/guards/operator-of-request.js';
import { DescribesAdmin } from '../../../identity/index.js';
import { TenancyOperations } from './tenancy-operations.js';
import { KEY_ROTATION, CREDENTIAL_CHANGE, type KeyRotation, type CredentialChangeInput } from './tenancy.schema.js';
import type { IssuedKeyView, KeyView } from './tenancy.views.js';

/** One key, for the operator. */
@AdminRoute()
@Controller('admin/v1/keys')
export class KeysController {
  constructor(private readonly operations: TenancyOperations) {}

  @Post(':keyId/rotate')
  @NeverPacked()
  @HttpCode(201)
  @NeedsRole('integrator', ownerInPath('key'))
  @DescribesAdmin({
    operationId: 'rotateKey',
    summary: 'Replace a key; the old one works for overlapS more seconds',
    body: KEY_ROTATION,
    example: { overlapS: 3600 },
    status: 201,
    answer: ORGANIZATION_EXAMPLES.issuedKey,
    refusals: ['key.not_found'],
  })
  rotate(
    @CurrentOperator() operator: Operator,
    @Param('keyId') keyId: string,
    @JsonBody(KEY_ROTATION.prefault({})) rotation: KeyRotation,
  ): Promise<IssuedKeyView> {
    return this.operations.rotateKey(operator, keyId, rotation);
  }

  @Patch(':keyId')
  @NeedsRole('integrator', ownerInPath('key'))
  @DescribesAdmin({
    operationId: 'restrictKey',
    summary:
      'Say from which networks a key may be used, and whether it may name the person behind a request; takes effect within 5 seconds',
    body: CREDENTIAL_CHANGE,
    example: { allowedNetworks: ['10.20.0.0/16'] },
    status: 200,
    answer: { ...ORGANIZATION_EXAMPLES.key, allowedNetworks: ['10.20.0.0/16'] },
    refusals: ['key.not_found'],
  })
  restrict(
    @CurrentOperator() operator: Operator,
    @Param('keyId') keyId: string,
    @JsonBody(CREDENTIAL_CHANGE) change: CredentialChangeInput,
  ): Promise<KeyView> {
    return this.operations.changeKey(operator, keyId, change);
  }

  @Delete(':keyId')
  @HttpCode(204)
  @NeedsRole('integrator', ownerInPath('key'))
  @DescribesAdmin({
    operationId: 'revokeKey',
    summary: 'Revoke a key; it stops working within 5 seconds',
    status: 204,
    answer: null,
    refusals: ['key.not_found'],
  })
  revoke(@CurrentOperator() operator: Operator, @Param('keyId') keyId: string): Promise<void> {
    return this.operations.revokeKey(operator, keyId);
  }
}
