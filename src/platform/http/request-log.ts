import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Counter, Histogram, register } from 'prom-client';
import { Logger } from '../logging/logger.js';
import type { ErrorCode } from '../../core/errors/catalogue.js';
import type { HttpAdapter } from './http.adapter.js';
import type { EndedRequest } from './request-note.js';

/** Names and bounds of OpenTelemetry's semantic conventions for HTTP servers, as its exporter for Prometheus writes them. */
const DURATION = 'http_server_request_duration_seconds';
const REFUSALS = 'sutura_http_refusals_total';
const BOUNDS_S = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'CONNECT',
  'TRACE',
]);
/** From 0 on, so that Prometheus sees the first of them as an increase. */
const ALARMING = {
  unknown: ['auth.invalid', 'rate.limited'],
  known: ['auth.expired', 'auth.revoked', 'quota.exceeded'],
} as const satisfies Record<string, readonly ErrorCode[]>;
/** Routes that an orchestrator asks every few seconds. */
const PROBED = /^\/(?:health|metrics)(?:\/|$)/;

type Observer = ReturnType<Histogram['labels']>;

/**
 * Logs one line and records one duration per request. Ids, codes and the route's pattern reveal no patient.
 */
@Injectable()
export class RequestLog implements OnModuleInit {
  private readonly duration: Histogram;
  private readonly refusals: Counter;
  /** By method, route and status, because prom-client's own look-up of labels costs more than the rest. Bounded by the routes. */
  private readonly observers = new Map<string, Observer>();

  constructor(
    private readonly logger: Logger,
    private readonly adapterHost: HttpAdapterHost<HttpAdapter>,
  ) {
    this.duration =
      (register.getSingleMetric(DURATION) as Histogram | undefined) ??
      new Histogram({
        name: DURATION,
        help: 'Duration of HTTP requests, from their head to the end of the answer',
        labelNames: ['http_request_method', 'http_route', 'http_response_status_code'],
        buckets: BOUNDS_S,
      });
    this.refusals =
      (register.getSingleMetric(REFUSALS) as Counter | undefined) ??
      new Counter({
        name: REFUSALS,
        help: 'Refused HTTP requests by the code of docs/errors.md; caller: whether its key was known',
        labelNames: ['code', 'caller'],
      });
    for (const [caller, codes] of Object.entries(ALARMING))
      for (const code of codes) this.refusals.inc({ code, caller }, 0);
  }

  onModuleInit(): void {
    this.adapterHost.httpAdapter.endings.on((ended) => this.tell(ended));
  }

  private tell(ended: EndedRequest): void {
    const { request, note, route, status, durationMs } = ended;
    const method = METHODS.has(request.method) ? request.method : '_OTHER';
    this.observerOf(method, route ?? '', status).observe(durationMs / 1000);
    if (note.code !== null) this.refusals.inc({ code: note.code, caller: note.caller === null ? 'unknown' : 'known' });
    const fields = {
      method,
      route,
      status,
      ms: Math.round(durationMs * 10) / 10,
      requestId: request.id,
      keyId: note.caller?.keyId ?? null,
      ...(note.code === null ? {} : { code: note.code }),
    };
    this.logger.request(fields, route !== null && PROBED.test(route) ? 'debug' : 'info');
  }

  private observerOf(method: string, route: string, status: number): Observer {
    const series = `${method} ${status} ${route}`;
    const known = this.observers.get(series);
    if (known !== undefined) return known;
    const made = this.duration.labels({
      http_request_method: method,
      http_route: route,
      http_response_status_code: String(status),
    });
    this.observers.set(series, made);
    return made;
  }
}
