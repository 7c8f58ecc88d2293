import type { Caller } from '../../../core/tenancy/api-key.js';
import { createdAnswer } from './answers.js';
import { isStored, type FhirAnswer, type FhirCall } from '../call/fhir-call.js';
import { AbsentResource, clientIdOf, idInBody, type PutRequest } from './put-request.js';
import type { ResourceInteractions } from './resource-interactions.js';
import type { Submission } from './resource-writing.js';

/** Runs its work in a transaction of its own. */
type Transact = (work: (call: FhirCall) => Promise<FhirAnswer>) => Promise<FhirAnswer>;

/**
 * A PUT outside a transaction Bundle. Updates an existing resource in one transaction; otherwise stages its uploads, then creates it in another, and undoes staged uploads if the create fails. `accept` may refuse the valid resource.
 */
export async function performPut(
  interactions: ResourceInteractions,
  caller: Caller,
  put: PutRequest,
  transact: Transact,
  accept: (submission: Submission) => void = () => undefined,
): Promise<FhirAnswer> {
  const { type, target, body, conditions } = put;
  if (target.kind === 'id') {
    try {
      return await transact((call) => interactions.changing.update(call, type, target.id, body, conditions));
    } catch (thrown) {
      if (!(thrown instanceof AbsentResource)) throw thrown;
    }
  }
  const submission = await interactions.putting.submit(caller, put);
  let isUsed = false;
  try {
    accept(submission);
    const answer = await transact(async (call) => {
      const written = await putIn(interactions, call, put, submission);
      if (target.kind === 'criteria' && isStored(written.body))
        await interactions.matches.requireMet(call, target.criteria, written.body);
      return written;
    });
    isUsed = answer.status === 201;
    return answer;
  } finally {
    if (!isUsed) await submission.prepared.discard?.();
  }
}

/** A PUT to a resource that is there, whose id here is `id`. With criteria the body need not name it. */
export function updatePut(
  interactions: ResourceInteractions,
  call: FhirCall,
  put: PutRequest,
  id: string,
): Promise<FhirAnswer> {
  const { type, target, body, conditions } = put;
  const named = target.kind === 'criteria' && idInBody(body) === null ? { ...(body as object), id } : body;
  return interactions.changing.update(call, type, clientIdOf(put) ?? id, named, conditions);
}

async function putIn(
  interactions: ResourceInteractions,
  call: FhirCall,
  put: PutRequest,
  submission: Submission,
): Promise<FhirAnswer> {
  const found = await interactions.putting.claim(call, put);
  if (found !== null) return updatePut(interactions, call, put, found.resource.id!);
  const { id, isKnown } = await interactions.putting.bind(call, put, submission);
  if (isKnown) return updatePut(interactions, call, put, id);
  const created = await interactions.writing.create(call, submission, id);
  const [settled = created] = await interactions.writing.settle(call, [created]);
  return createdAnswer(settled, await interactions.writing.advice(call, settled, submission.prepared));
}
