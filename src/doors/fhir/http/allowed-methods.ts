import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { TypeInteraction } from '../../../standards/fhir/types/type-row.js';
import {
  hasConditionalDelete,
  hasConditionalPatch,
  hasConditionalUpdate,
  rowOf,
} from '../../../standards/fhir/types/served-types.js';
import type { OperationDirectory } from '../operations/operation-directory.js';
import type { FhirAddress } from './fhir-address.js';

const METHODS: Readonly<
  Record<
    'type' | 'search' | 'instance' | 'history' | 'version',
    readonly (readonly [method: string, interaction: TypeInteraction])[]
  >
> = {
  type: [
    ['GET', 'search'],
    ['POST', 'create'],
  ],
  search: [
    ['GET', 'search'],
    ['POST', 'search'],
  ],
  instance: [
    ['GET', 'read'],
    ['PUT', 'update'],
    ['PATCH', 'patch'],
    ['DELETE', 'delete'],
  ],
  history: [['GET', 'history']],
  version: [['GET', 'vread']],
};

/** The methods that an address has, in alphabetical order; empty where there is no such address. HEAD goes with GET. */
export function allowedMethods(address: FhirAddress, operations: OperationDirectory): string[] {
  const methods = methodsOf(address, operations);
  return (methods.includes('GET') ? [...methods, 'HEAD'] : methods).sort();
}

function methodsOf(address: FhirAddress, operations: OperationDirectory): string[] {
  switch (address.kind) {
    case 'metadata':
      return ['GET'];
    case 'base':
      return ['POST'];
    case 'changes':
      return address.type === null || rowOf(address.type)?.interactions.includes('history') === true ? ['GET'] : [];
    case 'operation': {
      const operation = operations.find(address);
      if (operation === undefined) return [];
      return operation.affectsState ? ['POST'] : ['GET', 'POST'];
    }
    case 'type':
    case 'search':
    case 'instance':
    case 'history':
    case 'version': {
      const row = rowOf(address.type);
      const methods = METHODS[address.kind]
        .filter(([, interaction]) => row?.interactions.includes(interaction))
        .map(([method]) => method);
      if (address.kind !== 'type' || row === undefined) return methods;
      return [
        ...methods,
        ...(hasConditionalUpdate(row) ? ['PUT'] : []),
        ...(hasConditionalPatch(row) ? ['PATCH'] : []),
        ...(hasConditionalDelete(row) ? ['DELETE'] : []),
      ];
    }
  }
}

/** `fhir.interaction_not_supported`, `route.not_found`. */
export function requireMethod({ kind }: FhirAddress, method: string, allow: readonly string[]): void {
  if (allow.length === 0 && kind === 'operation')
    throw new SuturaError('route.not_found', {
      detail: 'There is no such operation here. See /fhir/metadata for those of each type.',
    });
  if (!allow.includes(method)) throw new SuturaError('fhir.interaction_not_supported', { allow: [...allow] });
}
