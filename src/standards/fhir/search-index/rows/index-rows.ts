/** The rows that searches find a resource by; one list a table. Keys are those of index-key.ts. */
export interface IndexRows {
  /** The type's main date: from, and until (excluded). null: it has none. */
  readonly clinical: { readonly low: Bound; readonly high: Bound } | null;
  /** Names of the parameters for which the resource has a value. */
  readonly present: readonly string[];
  readonly terms: readonly TermRow[];
  readonly references: readonly ReferenceRow[];
  readonly dates: readonly DateRow[];
  readonly quantities: readonly QuantityRow[];
  readonly strings: readonly StringRow[];
}

/** PostgreSQL's infinities stand for a period without start or end. */
export type Bound = Date | '-infinity' | 'infinity';

export interface TermRow {
  readonly term: string;
  readonly qualifier: string;
  readonly foremost: boolean;
}

export interface ReferenceRow {
  readonly link: string;
  /** The address of what it names (index-key.ts). */
  readonly target: string;
}

export interface DateRow {
  readonly link: string;
  readonly low: Bound;
  readonly high: Bound;
}

export interface QuantityRow {
  readonly link: string;
  readonly code: string;
  readonly codeSystem: string;
  /** 'ucum', '' for none, or the system's URL. */
  readonly unitSystem: string;
  readonly unit: string;
  /** In the canonical unit. */
  readonly low: number;
  readonly high: number;
  /** The value as given. */
  readonly givenLow: number;
  readonly givenHigh: number;
}

export interface StringRow {
  readonly link: string;
  readonly value: string;
  readonly exact: string;
}
