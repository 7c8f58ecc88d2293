import { rowOf } from '../../../standards/fhir/types/served-types.js';
import type { FhirOperation, OperationLevel } from './fhir-operation.js';

/** An operation's place in an address. */
export interface OperationPlace {
  readonly name: string;
  readonly type: string | null;
  readonly id: string | null;
}

/** The operations that are served. */
export class OperationDirectory {
  constructor(readonly operations: readonly FhirOperation[]) {}

  /** undefined: no operation of this name here. */
  find(place: OperationPlace): FhirOperation | undefined {
    const level = levelOf(place);
    return this.operations.find(
      ({ name, levels, types }) =>
        name === place.name && levels.includes(level) && (place.type === null || has(types, place.type)),
    );
  }

  /** The operations of a type, on the type itself or on its instances. */
  ofType(type: string): FhirOperation[] {
    return this.operations.filter(
      ({ levels, types }) => levels.some((level) => level !== 'system') && has(types, type),
    );
  }

  ofSystem(): FhirOperation[] {
    return this.operations.filter(({ levels }) => levels.includes('system'));
  }
}

export function levelOf({ type, id }: Pick<OperationPlace, 'type' | 'id'>): OperationLevel {
  if (id !== null) return 'instance';
  return type === null ? 'system' : 'type';
}

function has(types: FhirOperation['types'], type: string): boolean {
  return types === 'any' ? rowOf(type) !== undefined : (types as readonly string[]).includes(type);
}
