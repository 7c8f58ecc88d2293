import type { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SuturaError } from '../../core/errors/sutura-error.js';
import type { Settings } from '../config/settings.js';
import type { Logger } from '../logging/logger.js';
import { BodyBudget } from './body-budget.js';
import { answerClientError } from './client-error.js';
import { isAnswer, sendAnswer } from './http-answer.js';
import { PageOrigins } from './page-origins.js';
import { fromHttpError } from './from-http-error.js';
import { addJsonBodyParser } from './json-body.parser.js';
import {
  DRAIN_LIMITS,
  HEADERS_TIMEOUT_MS,
  JSON_BODY_LIMIT_BYTES,
  KEEP_ALIVE_TIMEOUT_MS,
  REQUEST_HEAD_LIMIT_BYTES,
  REQUEST_TIMEOUT_MS,
  URL_LIMIT,
} from './limits.js';
import { addPackedAnswers } from './packed-answers.js';
import { RefusalFormats, sendRefusal } from './refusal-formats.js';
import { RequestEndings } from './request-note.js';
import { RequestDrain, type DrainLimits } from './request-drain.js';
import { addRequestSpans } from './request-spans.js';
import { requestIdOf, applyRequestRules, stampAnswer } from './request-rules.hook.js';
import { RouteTable } from './route-table.js';
import { ServerCertificate } from './server-certificate.js';
import { UnreadBodies } from './unread-bodies.js';

const MIB = 1024 * 1024;

interface AdapterOptions {
  /** Each request is a span. */
  readonly isTraced?: boolean;
  readonly logger?: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Of a graceful stop. */
  readonly limits?: DrainLimits;
}

/** Nest's Fastify adapter with this service's limits, a list of the routes that it serves, and a stop that answers what was asked. */
export class HttpAdapter extends FastifyAdapter {
  readonly routes = new RouteTable();
  /** A door with error bodies of its own claims its paths here. */
  readonly refusals = new RefusalFormats();
  /** A door that pages of other origins may call claims its paths here. */
  readonly pageOrigins = new PageOrigins();
  /** A door that reads bodies only once the key is checked claims its paths here. */
  readonly unreadBodies = new UnreadBodies();
  /** Listeners to ended requests register here. */
  readonly endings = new RequestEndings();
  private readonly drain: RequestDrain;
  private readonly certificate: ServerCertificate | null;

  constructor(
    settings: Pick<Settings, 'http' | 'tls' | 'limits'>,
    private readonly extras: AdapterOptions = {},
  ) {
    const certificate = ServerCertificate.read(settings.tls, extras.logger);
    const head = { maxHeaderSize: REQUEST_HEAD_LIMIT_BYTES, headersTimeout: HEADERS_TIMEOUT_MS };
    super({
      trustProxy: settings.http.trustProxy,
      bodyLimit: JSON_BODY_LIMIT_BYTES,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      ...(certificate === null ? { http: head } : { https: { ...head, ...certificate.options } }),
      requestIdHeader: false,
      genReqId: requestIdOf,
      // Fastify's own refusal would not be in the format of the door; `refusalWhileStopping` is.
      return503OnClosing: false,
      routerOptions: { maxParamLength: URL_LIMIT },
      clientErrorHandler: (error: Error, socket: Socket) => answerClientError(error, socket, this.refusals),
      frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
        this.drain.take(reply.raw);
        this.endings.follow(request, reply);
        stampAnswer(request, reply);
        const refuse = (): void => sendRefusal(this.refusals, fromHttpError(error), request, reply);
        // No hook runs here; a page that may call is to read this refusal, too.
        void this.pageOrigins.mark(request, reply).then(refuse, refuse);
      },
    });
    const instance = this.getInstance<FastifyInstance>();
    this.certificate = certificate;
    certificate?.follow(instance.server as typeof instance.server & HttpsServer);
    instance.addHook('onRoute', (route) => this.routes.add(route.method, route.url));
    this.drain = new RequestDrain(instance.server, extras.limits ?? DRAIN_LIMITS);
    instance.addHook('onRequest', (_request, reply, done) => {
      this.drain.take(reply.raw);
      done();
    });
    this.endings.addTo(instance);
    if (extras.isTraced === true) addRequestSpans(instance, this.endings);
    const bodies = new BodyBudget(settings.limits.bodiesMib * MIB);
    instance.decorate('bodyBudget', bodies);
    this.endings.on(({ request }) => bodies.release(request));
    addStamp(instance);
    // Before the first refusal: a page that may call reads why, or it would take each for an outage.
    this.pageOrigins.addTo(instance);
    instance.addHook('onRequest', applyRequestRules);
    instance.addHook('onRequest', (_request, _reply, done) => done(this.refusalWhileStopping()));
    if (certificate !== null && settings.tls.hstsMaxAgeS > 0) addStrictTransport(instance, settings.tls.hstsMaxAgeS);
    addPackedAnswers(instance);
    instance.removeAllContentTypeParsers();
    addJsonBodyParser(instance, 'application/json');
    this.unreadBodies.addTo(instance);
  }

  /** Until the certificate of TLS_CERT_FILE ends, negative after that; null: without TLS. */
  certificateDaysLeft(nowMs: number): number | null {
    return this.certificate?.daysLeft(nowMs) ?? null;
  }

  /**
   * Runs first when the application closes: no further request is taken. Running ones keep everything they need until
   * `close`.
   */
  // Nest awaits it, though its type does not say so.
  // oxlint-disable-next-line typescript/no-misused-promises
  override async beforeClose(): Promise<void> {
    super.beforeClose();
    await this.drain.begin();
  }

  /** Waits for the answers to the requests that were taken, then closes. */
  override async close(): Promise<void> {
    const cut = await this.drain.end();
    this.certificate?.stop();
    if (cut > 0) this.extras.logger?.warn('http.requests_cut_off', { requests: cut });
    await super.close();
  }

  private refusalWhileStopping(): SuturaError | undefined {
    return this.drain.isDraining ? new SuturaError('service.unavailable', { retryAfterS: 2 }) : undefined;
  }

  /** An HttpAnswer that a route returns is sent as it is. */
  override reply(...[response, returned, status]: Parameters<FastifyAdapter['reply']>): FastifyReply {
    if (!isAnswer(returned)) return super.reply(response, returned, status);
    sendAnswer(response as FastifyReply, returned);
    // Nest would await the reply, and with it the whole time that the client takes to read.
    return undefined as never;
  }

  /** Nest would add parsers for forms and for lenient JSON; this service reads neither. */
  override registerParserMiddleware(): void {
    return;
  }
}

function addStamp(instance: FastifyInstance): void {
  instance.addHook('onRequest', (request, reply, done) => {
    stampAnswer(request, reply);
    done();
  });
}

/** Browsers that were here once come back by https alone (RFC 6797). */
function addStrictTransport(instance: FastifyInstance, maxAgeS: number): void {
  instance.addHook('onRequest', (_request, reply, done) => {
    void reply.header('strict-transport-security', `max-age=${maxAgeS}`);
    done();
  });
}
