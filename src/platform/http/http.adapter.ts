import type { Socket } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '../config/settings.js';
import { answerClientError } from './client-error.js';
import { fromHttpError } from './from-http-error.js';
import { addJsonBodyParser } from './json-body.parser.js';
import { HEADERS_TIMEOUT_MS, JSON_BODY_LIMIT_BYTES, KEEP_ALIVE_TIMEOUT_MS, REQUEST_HEAD_LIMIT_BYTES, REQUEST_TIMEOUT_MS, URL_LIMIT } from './limits.js';
import { RefusalFormats } from './refusal-formats.js';
import { sendRefusal } from './refusal-reply.js';
import { requestIdOf } from './request-id.js';
import { applyRequestRules, stampAnswer } from './request-rules.hook.js';
import { RouteTable } from './route-table.js';

/** Nest's Fastify adapter with this service's limits, and a list of the routes that it serves. */
export class HttpAdapter extends FastifyAdapter {
  readonly routes = new RouteTable();

  constructor(
    settings: Pick<Settings, 'environment'>,
    /** A door with error bodies of its own claims its paths here. */
    readonly refusals = new RefusalFormats(),
  ) {
    super({
      trustProxy: settings.environment.TRUST_PROXY,
      bodyLimit: JSON_BODY_LIMIT_BYTES,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      http: { maxHeaderSize: REQUEST_HEAD_LIMIT_BYTES, headersTimeout: HEADERS_TIMEOUT_MS },
      requestIdHeader: false,
      genReqId: requestIdOf,
      // Whatever still arrives on a kept-alive connection during a graceful stop is answered, then the connection is closed.
      return503OnClosing: false,
      routerOptions: { maxParamLength: URL_LIMIT },
      clientErrorHandler: (error: Error, socket: Socket) => answerClientError(error, socket, refusals),
      frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
        stampAnswer(request, reply);
        sendRefusal(refusals, fromHttpError(error), request, reply);
      },
    });
    const instance = this.getInstance() as unknown as FastifyInstance;
    instance.addHook('onRoute', (route) => this.routes.add(route.method, route.url));
    instance.addHook('onRequest', applyRequestRules);
    instance.removeAllContentTypeParsers();
    addJsonBodyParser(instance, 'application/json');
  }

  /** Nest would add parsers for forms and for lenient JSON; this service reads neither. */
  override registerParserMiddleware(): void {
    return;
  }
}
