import type { Resource } from '@medplum/fhirtypes';
import { error, type ResourceIssue } from '../resource-issue.js';
import { narrativeFault } from './xhtml-check.js';

/**
 * R4's rules for narratives (narrative.html; txt-1, txt-2) wherever one stands: in the resource, in those within it, in the sections of a
 * document. Only a Narrative has an element named div. The resource is one that R4 describes, so of bounded depth.
 */
export function checkNarratives(resource: Resource): ResourceIssue[] {
  const issues: ResourceIssue[] = [];
  look(resource, resource.resourceType, issues);
  return issues;
}

function look(value: object, path: string, issues: ResourceIssue[]): void {
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    if (name === 'div' && typeof member === 'string') {
      const fault = narrativeFault(member);
      if (fault !== null) issues.push(error('invariant', `${path}.div`, fault));
    } else if (Array.isArray(member)) {
      member.forEach((item: unknown, index) => {
        if (typeof item === 'object' && item !== null) look(item, `${path}.${name}[${index}]`, issues);
      });
    } else if (typeof member === 'object' && member !== null) {
      look(member, `${path}.${name}`, issues);
    }
  }
}
