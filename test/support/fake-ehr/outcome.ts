import type { Resource } from './json.js';
import type { Answer } from './wire.js';

/** One thing that is wrong, by FHIR's issue types, and by a code of the EHR's own where it has one. */
export interface Issue {
  readonly code: string;
  readonly text: string;
  readonly coding?: { readonly system: string; readonly code: string };
  readonly expression?: string;
}

export function outcomeOf(issues: readonly Issue[]): Resource {
  return {
    resourceType: 'OperationOutcome',
    issue: issues.map(({ code, text, coding, expression }) => ({
      severity: 'error',
      code,
      details: { ...(coding === undefined ? {} : { coding: [coding] }), text },
      ...(expression === undefined ? {} : { expression: [expression] }),
    })),
  };
}

/** The EHR does not take it. */
export class Refusal extends Error {
  readonly issues: readonly Issue[];

  constructor(
    readonly status: number,
    issues: Issue | readonly Issue[],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    const all = Array.isArray(issues) ? (issues as readonly Issue[]) : [issues as Issue];
    super(all.map(({ text }) => text).join(' '));
    this.issues = all;
  }

  get answer(): Answer {
    return {
      status: this.status,
      headers: { 'content-type': 'application/fhir+json', ...this.headers },
      json: outcomeOf(this.issues),
    };
  }
}
