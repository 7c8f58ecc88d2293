import type { Preconditions } from '../call/fhir-call.js';

export const ENTRY_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type EntryMethod = (typeof ENTRY_METHODS)[number];

/** The target of an entry's request `url`, relative to the base. */
export type EntryTarget =
  | { readonly kind: 'type'; readonly type: string; readonly query: URLSearchParams }
  | { readonly kind: 'instance'; readonly type: string; readonly id: string }
  | { readonly kind: 'history'; readonly type: string; readonly id: string; readonly query: URLSearchParams }
  | { readonly kind: 'version'; readonly type: string; readonly id: string; readonly version: string };

/** One entry of a transaction or batch: a request within a request (R4 Bundle.entry). */
export interface BundleEntry {
  /** Index in the Bundle, from 0. */
  readonly index: number;
  readonly fullUrl: string | null;
  readonly method: EntryMethod;
  readonly target: EntryTarget;
  readonly conditions: Preconditions;
  /** The body as it was sent; undefined without one. */
  readonly resource: unknown;
  /** Why the entry is skipped, if the organization ignores unsupported types; else absent. */
  readonly skipped?: string;
}

/** FHIRPath of an entry. */
export function placeOf(index: number): string {
  return `Bundle.entry[${index}]`;
}
