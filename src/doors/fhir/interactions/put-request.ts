import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { Preconditions } from '../call/fhir-call.js';

/** The target of a PUT, PATCH or DELETE: a resource by its id or by a client's own (R4 http.html 3.1.0.7), or the match of criteria (3.1.0.10). */
export type ResourceChoice =
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'criteria'; readonly criteria: string };

/** A PUT as it was sent. */
export interface PutRequest {
  readonly type: string;
  readonly target: ResourceChoice;
  /** The resource, and nothing of it checked. */
  readonly body: unknown;
  readonly conditions: Preconditions;
}

/** The id by which a PUT is to be known that creates a resource; null: it names none. */
export function clientIdOf({ target, body }: Pick<PutRequest, 'target' | 'body'>): string | null {
  return target.kind === 'id' ? target.id : idInBody(body);
}

export function idInBody(body: unknown): string | null {
  const id = typeof body === 'object' && body !== null ? (body as { id?: unknown }).id : undefined;
  return typeof id === 'string' ? id : null;
}

/** An update of what is not there: where the client may give the id, the PUT creates it. */
export class AbsentResource extends SuturaError {
  constructor() {
    super('fhir.interaction_not_supported', {
      detail:
        'There is no such resource that this caller could change, and a record of this service has the id. Use POST, or PUT it under an id of your own.',
    });
  }
}
