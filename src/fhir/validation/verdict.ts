import type { ResourceIssue } from './resource-issue.js';

/** What validation says of a resource. */
export interface Verdict {
  /** What was not met: `structure` is base R4 (400), `narrative` its rules for narratives (422), `profile` a profile (422); null where the resource is valid. */
  readonly level: 'structure' | 'narrative' | 'profile' | null;
  /** Errors of that level, and whatever else there is to say; the errors first where there are more than are named. */
  readonly issues: readonly ResourceIssue[];
}
