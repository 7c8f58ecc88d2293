import { createdAnswer, matchedAnswer } from './answers.js';
import type { FhirAnswer, FhirCall } from '../call/fhir-call.js';
import type { ResourceInteractions } from './resource-interactions.js';
import type { Submission } from './resource-writing.js';

/** A create inside its transaction: 201, or 200 with the resource that the criteria of If-None-Exist match. */
export async function performCreate(
  { matches, writing }: ResourceInteractions,
  call: FhirCall,
  submission: Submission,
  ifNoneExist: string | undefined,
): Promise<FhirAnswer> {
  const match =
    ifNoneExist === undefined ? null : await matches.matchExisting(call, submission.resource.resourceType, ifNoneExist);
  if (match !== null) return matchedAnswer(match);
  const stored = await writing.create(call, submission, await writing.assignId(call, submission));
  const [settled = stored] = await writing.settle(call, [stored]);
  if (ifNoneExist !== undefined) await matches.requireMet(call, ifNoneExist, settled);
  return createdAnswer(settled, await writing.advice(call, settled, submission.prepared));
}
