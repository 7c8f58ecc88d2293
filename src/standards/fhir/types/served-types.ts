import type { Resource } from '@medplum/fhirtypes';
import { TYPE_TABLE, type ServedType, type TypesWith } from './type-table.js';
import type { TypeRow } from './type-row.js';

const ROWS: ReadonlyMap<string, TypeRow> = new Map(Object.entries<TypeRow>(TYPE_TABLE));

/** All types, in the order of the table. */
export const SERVED_TYPES = Object.keys(TYPE_TABLE) as readonly ServedType[];

/** The types that have this value in this column, in the order of the table. */
export function typesWith<Column extends keyof TypeRow, Value extends TypeRow[Column]>(
  column: Column,
  value: Value,
): readonly TypesWith<Column, Value>[] {
  return SERVED_TYPES.filter((type): type is TypesWith<Column, Value> => rowOf(type)?.[column] === value);
}

/** undefined: the type is not served. */
export function rowOf(type: string): TypeRow | undefined {
  return ROWS.get(type);
}

/** A PUT to criteria, such as `Patient?identifier=…`. */
export function hasConditionalUpdate({ conditional, interactions }: TypeRow): boolean {
  return conditional && interactions.includes('update');
}

/** A PATCH to criteria. */
export function hasConditionalPatch({ conditional, interactions }: TypeRow): boolean {
  return conditional && interactions.includes('patch');
}

/** A DELETE to criteria. */
export function hasConditionalDelete({ conditional, interactions }: TypeRow): boolean {
  return conditional && interactions.includes('delete');
}

/** A PUT to an id of the client's own, where there is nothing yet. */
export function hasUpdateCreate({ interactions }: TypeRow): boolean {
  return interactions.includes('update') && interactions.includes('create');
}

/** Types of which this service publishes its own, from fhir-profiles/. */
export const CONFORMANCE_TYPES = typesWith('origin', 'definitions');
export type ConformanceType = (typeof CONFORMANCE_TYPES)[number];
export type ConformanceResource = Extract<Resource, { resourceType: ConformanceType }>;
