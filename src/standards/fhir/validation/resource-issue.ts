/** R4 issue-type, as far as validation names it. */
export type IssueCode =
  | 'invalid'
  | 'structure'
  | 'required'
  | 'value'
  | 'invariant'
  | 'code-invalid'
  | 'processing'
  | 'not-supported';

/** One finding about a resource. States the place and the rule, and repeats nothing of the resource. */
export interface ResourceIssue {
  readonly severity: 'error' | 'warning' | 'information';
  readonly code: IssueCode;
  /** FHIRPath from the type of the resource, such as `Observation.component[1].code`. */
  readonly expression: string;
  readonly details: string;
}

export function error(code: IssueCode, expression: string, details: string): ResourceIssue {
  return { severity: 'error', code, expression, details };
}

/** The result of validation. */
export interface Verdict {
  /** The level that was not met: `structure` is base R4 (400), `narrative` its rules for narratives (422), `profile` a profile (422); null where the resource is valid. */
  readonly level: 'structure' | 'narrative' | 'profile' | null;
  /** Errors of that level, and warnings; the errors first where the list is cut. */
  readonly issues: readonly ResourceIssue[];
}
