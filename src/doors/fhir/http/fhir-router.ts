import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { tenantOf } from '../../../core/tenancy/tenant.js';
import type { HttpAnswer } from '../../../platform/http/http-answer.js';
import { rowOf } from '../../../standards/fhir/types/served-types.js';
import { FhirActivation } from '../projection/fhir-activation.js';
import { OperationDirectory } from '../operations/operation-directory.js';
import { AddressRoutes } from './address-routes.js';
import { allowedMethods, requireMethod } from './allowed-methods.js';
import { AuditEventRoutes } from './audit-event-routes.js';
import { BinaryRoutes } from './binary-routes.js';
import type { FhirAddress } from './fhir-address.js';
import type { FhirExchange } from './fhir-exchange.js';
import { requireAcceptable } from './negotiation.js';
import { methodsOfSubscription, SubscriptionRoutes } from './subscription-routes.js';

/** Routes a request that its address and the table of types allow; Subscription and AuditEvent have tables of their own. */
@Injectable()
export class FhirRouter {
  constructor(
    private readonly opening: FhirActivation,
    private readonly routes: AddressRoutes,
    private readonly binaries: BinaryRoutes,
    private readonly subscriptions: SubscriptionRoutes,
    private readonly auditEvents: AuditEventRoutes,
    private readonly directory: OperationDirectory,
  ) {}

  /** `route.not_found`, `fhir.type_not_supported`, `fhir.interaction_not_supported`, `fhir.preparing`, `request.not_acceptable`, and those of the route. */
  async answer(exchange: FhirExchange): Promise<HttpAnswer> {
    const { address, method, query, request } = exchange;
    if (address === null)
      throw new SuturaError('route.not_found', {
        detail: 'FHIR has no such address. See /fhir/metadata for what this server has.',
      });
    const ofSubscription = 'type' in address && address.type === 'Subscription';
    if (ofSubscription) requireMethod(address, method, methodsOfSubscription(address));
    else this.requireRoute(address, method);
    if ('type' in address && address.type === 'AuditEvent') {
      // The trail is there without any resource being filed.
      requireAcceptable(request.headers.accept, query.get('_format'));
      return this.auditEvents.answer(exchange, { ...address, type: address.type });
    }
    await this.opening.ensureActive(tenantOf(exchange.caller));
    // The bytes behind a Binary have a type of their own.
    if (address.kind === 'instance' && address.type === 'Binary') return this.binaries.read(exchange, address.id);
    requireAcceptable(request.headers.accept, query.get('_format'));
    return ofSubscription ? this.subscriptions.answer(exchange, address) : this.routes.answer(exchange, address);
  }

  private requireRoute(address: FhirAddress, method: string): void {
    if ('type' in address && address.type !== null && rowOf(address.type) === undefined)
      throw new SuturaError('fhir.type_not_supported');
    requireMethod(address, method, allowedMethods(address, this.directory));
  }
}
