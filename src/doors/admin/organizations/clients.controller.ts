import { ORGANIZATION_EXAMPLES } from './organizations.examples.js';
import { Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import type { Operator } from '../../../core/tenancy/operator.js';
import { JsonBody } from '../../../platform/http/zod.pipe.js';
import { IN_PATH, ownerInPath } from '../../../identity/guards/admin-access.js';
import { AdminRoute, NeedsRole } from '../../../identity/guards/admin-route.decorator.js';
import { CurrentOperator } from '../../../identity/guards/operator-of-request.js';
import { DescribesAdmin } from '../../../identity/index.js';
import { ClientOperations } from './client-operations.js';
import { CLIENT_ROTATION, NEW_CLIENT, type ClientRotation, type NewClient } from './clients.schema.js';
import { CREDENTIAL_CHANGE, type CredentialChangeInput } from './tenancy.schema.js';
import type { ClientView } from './clients.views.js';

const EXAMPLE_KEYS = { jwksUrl: 'https://ehr.example.org/jwks.json' };

/** The clients of SMART Backend Services, for the operator. */
@AdminRoute()
@Controller('admin/v1')
export class ClientsController {
  constructor(private readonly operations: ClientOperations) {}

  @Post('organizations/:organizationId/clients')
  @HttpCode(201)
  @NeedsRole('integrator', IN_PATH)
  @DescribesAdmin({
    operationId: 'createClient',
    summary: 'Register a client of SMART Backend Services by its public keys, or by the address of these',
    body: NEW_CLIENT,
    example: { name: 'EHR', environment: 'test', scopes: ['system/DiagnosticReport.rs'], ...EXAMPLE_KEYS },
    status: 201,
    answer: ORGANIZATION_EXAMPLES.client,
    refusals: ['organization.not_found', 'key.limit', 'key.live_not_allowed'],
  })
  create(
    @CurrentOperator() operator: Operator,
    @Param('organizationId') organizationId: string,
    @JsonBody(NEW_CLIENT) input: NewClient,
  ): Promise<ClientView> {
    return this.operations.create(operator, organizationId, input);
  }

  @Get('organizations/:organizationId/clients')
  @NeedsRole('viewer', IN_PATH)
  @DescribesAdmin({
    operationId: 'listClients',
    summary: 'List the organization’s clients, revoked ones included',
    status: 200,
    answer: { items: [ORGANIZATION_EXAMPLES.client] },
    refusals: ['organization.not_found'],
  })
  async list(
    @CurrentOperator() operator: Operator,
    @Param('organizationId') organizationId: string,
  ): Promise<{ readonly items: readonly ClientView[] }> {
    return { items: await this.operations.list(operator, organizationId) };
  }

  @Post('clients/:clientId/rotate')
  @HttpCode(200)
  @NeedsRole('integrator', ownerInPath('client'))
  @DescribesAdmin({
    operationId: 'rotateClient',
    summary: 'Give a client other keys; those left out stop working at once, tokens that it has go on until they end',
    body: CLIENT_ROTATION,
    example: EXAMPLE_KEYS,
    status: 200,
    answer: ORGANIZATION_EXAMPLES.client,
    refusals: ['client.not_found'],
  })
  rotate(
    @CurrentOperator() operator: Operator,
    @Param('clientId') clientId: string,
    @JsonBody(CLIENT_ROTATION) rotation: ClientRotation,
  ): Promise<ClientView> {
    return this.operations.rotate(operator, clientId, rotation);
  }

  @Patch('clients/:clientId')
  @NeedsRole('integrator', ownerInPath('client'))
  @DescribesAdmin({
    operationId: 'restrictClient',
    summary:
      'Say from which networks a client may ask for tokens and use them, and whether it may name the person behind them; takes effect within 5 seconds',
    body: CREDENTIAL_CHANGE,
    example: { allowedNetworks: ['10.20.0.0/16'] },
    status: 200,
    answer: { ...ORGANIZATION_EXAMPLES.client, allowedNetworks: ['10.20.0.0/16'] },
    refusals: ['client.not_found'],
  })
  restrict(
    @CurrentOperator() operator: Operator,
    @Param('clientId') clientId: string,
    @JsonBody(CREDENTIAL_CHANGE) change: CredentialChangeInput,
  ): Promise<ClientView> {
    return this.operations.change(operator, clientId, change);
  }

  @Delete('clients/:clientId')
  @HttpCode(204)
  @NeedsRole('integrator', ownerInPath('client'))
  @DescribesAdmin({
    operationId: 'revokeClient',
    summary: 'Revoke a client; its tokens stop working within 5 seconds',
    status: 204,
    answer: null,
    refusals: ['client.not_found'],
  })
  revoke(@CurrentOperator() operator: Operator, @Param('clientId') clientId: string): Promise<void> {
    return this.operations.revoke(operator, clientId);
  }
}
