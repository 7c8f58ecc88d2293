import type { Bound } from './rows/index-rows.js';

/** R4 search.html 3.1.1.4.5. */
export const PREFIXES = ['eq', 'ne', 'gt', 'lt', 'ge', 'le', 'sa', 'eb', 'ap'] as const;
export type Prefix = (typeof PREFIXES)[number];

export interface TermMatch {
  readonly term: string;
  /** null: any system. */
  readonly qualifier: string | null;
}

export interface ReferenceMatch {
  readonly link: string;
  readonly targetType: string;
  readonly targetId: string;
}

/** For `ap` the interval is the widened one, which has to meet that of the resource. */
export interface DateMatch {
  readonly prefix: Prefix;
  readonly low: Bound;
  readonly high: Bound;
  /** Of resources whose own interval is shorter than a day alone, or of those that state days; absent: of all. */
  readonly among?: 'moments' | 'days';
}

export interface QuantityMatch {
  readonly link: string;
  readonly prefix: Prefix;
  /** The interval that `eq`, `ne` and `ap` compare with; the others compare with the value alone. */
  readonly low: number;
  readonly value: number;
  readonly high: number;
  /** Without a unit the number counts as given, whatever its unit (R4 search.html#quantity). */
  readonly unit?: { readonly system: string | null; readonly unit: string };
  readonly code?: { readonly code: string; readonly qualifier: string | null };
}

export interface StringMatch {
  readonly link: string;
  readonly mode: 'starts' | 'contains' | 'equals' | 'text';
  readonly text: string;
}

/** One condition of a search in terms of the store. All conditions of a search hold; within one, any of `any` does. */
export type Condition =
  | { readonly kind: 'ids'; readonly ids: readonly string[] }
  | { readonly kind: 'author'; readonly keyId: string }
  | { readonly kind: 'present'; readonly name: string; readonly isPresent: boolean }
  | { readonly kind: 'terms'; readonly any: readonly TermMatch[]; readonly negated: boolean }
  | { readonly kind: 'references'; readonly any: readonly ReferenceMatch[] }
  /** `clinical`: the type's main date; `changed`: the last update. */
  | {
      readonly kind: 'dates';
      readonly of: 'clinical' | 'changed' | readonly string[];
      readonly any: readonly DateMatch[];
    }
  | { readonly kind: 'quantities'; readonly any: readonly QuantityMatch[] }
  | { readonly kind: 'strings'; readonly any: readonly StringMatch[] }
  /** Chaining: the target of the reference meets these. */
  | { readonly kind: 'targets'; readonly links: readonly string[]; readonly any: readonly Related[] }
  /** `_has`: a resource that refers to this one meets these. */
  | { readonly kind: 'referrers'; readonly links: readonly string[]; readonly by: Related };

export interface Related {
  readonly type: string;
  readonly where: readonly Condition[];
}

/** An order by the type's main date, the last update, the id, the status, or the dates of other elements. */
export interface SortKey {
  readonly by:
    | 'clinical'
    | 'changed'
    | 'id'
    | 'status'
    | { readonly links: readonly string[] }
    | { readonly textLinks: readonly string[] };
  readonly descending: boolean;
}
