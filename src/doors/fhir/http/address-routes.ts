import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { HttpAnswer } from '../../../platform/http/http-answer.js';
import { invalidInput } from '../../../platform/http/parse-input.js';
import type { ResourceChoice } from '../interactions/put-request.js';
import { BinaryRoutes } from './binary-routes.js';
import { BundleRoutes } from './bundle-routes.js';
import type { FhirAddress } from './fhir-address.js';
import type { FhirExchange } from './fhir-exchange.js';
import { OperationRoutes } from './operation-routes.js';
import { ResourceRoutes } from './resource-routes.js';

/** Parameters of the door itself, not criteria of a PUT or POST. */
const OF_THE_DOOR = ['_format', '_pretty'];

/** Routes of stored resources, by the kind of address. */
@Injectable()
export class AddressRoutes {
  constructor(
    private readonly resources: ResourceRoutes,
    private readonly binaries: BinaryRoutes,
    private readonly bundles: BundleRoutes,
    private readonly operations: OperationRoutes,
  ) {}

  answer(exchange: FhirExchange, address: FhirAddress): Promise<HttpAnswer> {
    const { method } = exchange;
    switch (address.kind) {
      case 'base':
        return this.bundles.process(exchange);
      case 'search':
        return this.resources.search(exchange, address.type);
      case 'type':
        if (method === 'GET') return this.resources.search(exchange, address.type);
        if (method === 'PUT' || method === 'PATCH' || method === 'DELETE')
          return this.change(exchange, address.type, { kind: 'criteria', criteria: criteriaOf(exchange.query) });
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
    return exchange.method === 'GET'
      ? this.resources.read(exchange, type, id)
      : this.change(exchange, type, { kind: 'id', id });
  }

  private change(exchange: FhirExchange, type: string, target: ResourceChoice): Promise<HttpAnswer> {
    if (exchange.method === 'PUT') return this.resources.update(exchange, type, target);
    return exchange.method === 'PATCH'
      ? this.resources.patch(exchange, type, target)
      : this.resources.delete(exchange, type, target);
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
