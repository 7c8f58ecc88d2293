import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../core/errors/catalogue.js';
import type { Tenant } from '../../core/tenancy/tenant.js';

/** Facts of a request that become known on its way through a door, for the listeners to its end. */
interface RequestNote {
  readonly beganMs: number;
  /** The caller, once the key is found, even one that has ended or lacks a scope. */
  caller: (Tenant & { readonly keyId: string; readonly person?: string }) | null;
  /** The code of its refusal. */
  code: ErrorCode | null;
  /** The pattern of the address, for a door with one route for all of them. */
  route: string | null;
  /** `Type/id` of the requested resource, if the door knows it. */
  resource: string | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    note: RequestNote | null;
  }
}

/** A request whose answer was sent, or whose connection ended before. */
export interface EndedRequest {
  readonly request: FastifyRequest;
  readonly note: RequestNote;
  /** The pattern of the route, never the address; null without a route. */
  readonly route: string | null;
  /** 499 if the client went before its answer. */
  readonly status: number;
  readonly durationMs: number;
}

const CLIENT_WENT = 499;

/** Follows each request to its end, and calls its listeners. */
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
