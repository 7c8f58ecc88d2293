import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { tenantOf } from '../../../core/tenancy/tenant.js';
import type { HttpAnswer } from '../../../platform/http/http-answer.js';
import { invalidInput } from '../../../platform/http/parse-input.js';
import { rowOf } from '../../../standards/fhir/types/served-types.js';
import { FhirActivation } from '../projection/fhir-activation.js';
import { OperationDirectory } from '../operations/operation-directory.js';
import { allowedMethods } from './allowed-methods.js';
import { AuditEventRoutes } from './audit-event-routes.js';
import { BinaryRoutes } from './binary-routes.js';
import { BundleRoutes } from './bundle-routes.js';
import type { FhirAddress } from './fhir-address.js';
import type { FhirExchange } from './fhir-exchange.js';
import { requireAcceptable } from './negotiation.js';
import { OperationRoutes } from './operation-routes.js';
import { ResourceRoutes } from './resource-routes.js';
import { requireMethodOfSubscription, SubscriptionRoutes } from './subscription-routes.js';

/** Parameters of the door itself, not criteria of a PUT or POST. */
const OF_THE_DOOR = ['_format', '_pretty'];

/** Routes a request: the address names the resource, the table of types the interactions it has. */
@Injectable()
export class FhirRouter {
  constructor(
    private readonly opening: FhirActivation,
    private readonly resources: ResourceRoutes,
    private readonly binaries: BinaryRoutes,
    private readonly bundles: BundleRoutes,
    private readonly operations: OperationRoutes,
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
    if (ofSubscription) requireMethodOfSubscription(address, method);
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
    return ofSubscription ? this.subscriptions.answer(exchange, address) : this.route(exchange, address);
  }

  private requireRoute(address: FhirAddress, method: string): void {
    if ('type' in address && address.type !== null && rowOf(address.type) === undefined)
      throw new SuturaError('fhir.type_not_supported');
    const allow = allowedMethods(address, this.directory);
    if (allow.length === 0 && address.kind === 'operation')
      throw new SuturaError('route.not_found', {
        detail: 'There is no such operation here. See /fhir/metadata for those of each type.',
      });
    if (!allow.includes(method)) throw new SuturaError('fhir.interaction_not_supported', { allow });
  }

  private route(exchange: FhirExchange, address: FhirAddress): Promise<HttpAnswer> {
    const { method } = exchange;
    switch (address.kind) {
      case 'base':
        return this.bundles.process(exchange);
      case 'search':
        return this.resources.search(exchange, address.type);
      case 'type':
        if (method === 'GET') return this.resources.search(exchange, address.type);
        if (method === 'PUT')
          return this.resources.update(exchange, address.type, {
            kind: 'criteria',
            criteria: criteriaOf(exchange.query),
          });
        return address.type === 'Binary'
          ? this.binaries.create(exchange)
          : this.resources.create(conditional(exchange), address.type);
      case 'instance':
        return this.instance(exchange, address.type, address.id);
      case 'history':
        return this.resources.history(exchange, address.type, address.id);
      case 'changes':
        return this.resources.changes(exchange, address.type);
      case 'version':
        return this.resources.readVersion(exchange, address.type, address.id, address.version);
      case 'operation':
        return this.operations.handle(exchange, address);
      case 'metadata':
        // /metadata has a route of its own, which needs no key.
        throw new SuturaError('route.not_found');
    }
  }

  private instance(exchange: FhirExchange, type: string, id: string): Promise<HttpAnswer> {
    if (exchange.method === 'PUT') return this.resources.update(exchange, type, { kind: 'id', id });
    return exchange.method === 'PATCH'
      ? this.resources.patch(exchange, type, id)
      : this.resources.read(exchange, type, id);
  }
}

/**
 * Criteria in the address of a create are those of If-None-Exist: R4 knows only the header, but some clients (fhirpy, Aidbox's) send only the address,
 * and without them each of their calls would make one more resource.
 */
function conditional(exchange: FhirExchange): FhirExchange {
  const criteria = criteriaOf(exchange.query);
  if (criteria === '') return exchange;
  if (exchange.conditions.ifNoneExist !== undefined)
    throw invalidInput('/header/If-None-Exist', 'stands beside criteria in the address. Send either');
  return { ...exchange, conditions: { ...exchange.conditions, ifNoneExist: criteria } };
}

function criteriaOf(query: URLSearchParams): string {
  return new URLSearchParams([...query].filter(([name]) => !OF_THE_DOOR.includes(name))).toString();
}
