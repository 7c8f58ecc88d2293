import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../core/errors/catalogue.js';
import type { Tenant } from '../../core/tenancy/tenant.js';

/** What becomes known of a request on its way through a door, for whoever tells of it once it has ended. */
export interface RequestNote {
  readonly beganMs: number;
  /** Whose key it came with, once that was found: also of one that has ended or lacks a scope. */
  caller: (Tenant & { readonly keyId: string }) | null;
  /** Why it was refused. */
  code: ErrorCode | null;
  /** Where a door has one route for all of its addresses: the pattern that this one is of. */
  route: string | null;
  /** `Type/id` of what was asked for by its id, where the door knows. */
  resource: string | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    note: RequestNote | null;
  }
}

/** A request whose answer has left, or whose connection has ended before. */
export interface EndedRequest {
  readonly request: FastifyRequest;
  readonly note: RequestNote;
  /** The pattern of the route, never the address; null: no route has it. */
  readonly route: string | null;
  /** 499 where the client went before its answer. */
  readonly status: number;
  readonly durationMs: number;
}

const CLIENT_WENT = 499;

/** Follows each request to its end, and tells those who listen. */
export class RequestEndings {
  private readonly listeners: ((ended: EndedRequest) => void)[] = [];

  addTo(instance: FastifyInstance): void {
    instance.decorateRequest('note', null);
    instance.addHook('onRequest', (request, reply, done) => {
      this.follow(request, reply);
      done();
    });
  }

  on(listener: (ended: EndedRequest) => void): void {
    this.listeners.push(listener);
  }

  follow(request: FastifyRequest, reply: FastifyReply): void {
    const note: RequestNote = { beganMs: performance.now(), caller: null, code: null, route: null, resource: null };
    request.note = note;
    reply.raw.once('close', () => this.tell(request, reply, note));
  }

  private tell(request: FastifyRequest, reply: FastifyReply, note: RequestNote): void {
    const { raw } = reply;
    const ended = {
      request,
      note,
      route: note.route ?? request.routeOptions.url ?? null,
      status: raw.writableFinished ? raw.statusCode : CLIENT_WENT,
      durationMs: performance.now() - note.beganMs,
    };
    for (const listener of this.listeners) listener(ended);
  }
}
