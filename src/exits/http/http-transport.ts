import type { Clock } from '../../core/ports/clock.js';
import { presentTraceparent } from '../../platform/tracing/spans.js';
import type { Columns, Connection, DueDelivery, NoAnswer, Outcome, SendingEndpoint, Transport } from '../kit/index.js';
import {
  meaningOf,
  NoAnswerError,
  type EndpointAnswer,
  type EndpointCall,
  type EndpointCaller,
} from './endpoint-caller.js';
import { KeptConnections } from './kept-connections.js';
import type { SignedContent } from './standard-webhook.js';

/** An endpoint as its sender knows it. */
export interface HttpEndpoint<Target> extends SendingEndpoint {
  readonly target: Target;
}

/** Columns of deliveries over HTTP beside those of the kit. */
export interface HttpColumns {
  readonly type: string;
  /** The report whose analysis the event is part of; null: of none. */
  readonly reportId: string | null;
}

/** What is kept of an answer. */
export interface HttpAnswer extends Pick<EndpointAnswer, 'status' | 'beginning'> {
  readonly durationMs: number;
}

/** Outcome of one request outside the queue. */
export interface HttpTrial {
  readonly reached: boolean;
  /** null: there was no answer. */
  readonly status: number | null;
  /** Why there was no answer, as a code; null: there was one. */
  readonly fault: string | null;
  readonly durationMs: number;
}

/** Where requests to a target go, and how they are signed. */
export interface SignedRequests extends Pick<EndpointCall, 'organizationId' | 'url' | 'headers' | 'timeoutMs'> {
  sign(content: SignedContent): string;
}

type Way = Pick<EndpointCall, 'signal' | 'kept'>;

/** Deliveries over HTTP, signed by Standard Webhooks 1.0.0: the id is the same at every try. */
export abstract class HttpTransport<Target, Own extends HttpColumns> implements Transport<
  HttpEndpoint<Target>,
  Own,
  HttpAnswer
> {
  constructor(
    private readonly caller: EndpointCaller,
    private readonly clock: Clock,
  ) {}

  protected abstract requestsTo(target: Target, now: Date): SignedRequests;
  protected abstract messageIdOf(delivery: DueDelivery<Own>): string;

  /** What is sent of a body that was kept; signed as it is sent. The default is the body itself. */
  protected sentOf(target: Target, body: Buffer): Promise<Buffer> {
    void target;
    return Promise.resolve(body);
  }

  open({ target }: HttpEndpoint<Target>): Promise<Connection<Own, HttpAnswer>> {
    const abort = new AbortController();
    const way = { signal: abort.signal, kept: new KeptConnections() };
    return Promise.resolve({
      send: async (delivery) => {
        const { retryAfterMs, ...answer } = await this.post(target, this.messageIdOf(delivery), delivery.bytes, way);
        const asked = retryAfterMs === null ? {} : { retryAfterMs };
        return { meaning: meaningOf(answer.status), answer, ...asked };
      },
      close: () => {
        abort.abort();
        way.kept.close();
      },
    });
  }

  /** Sends one request outside the queue, such as a test. */
  async try(target: Target, id: string, body: Buffer, signal?: AbortSignal): Promise<HttpTrial> {
    const began = performance.now();
    try {
      const { status, durationMs } = await this.post(target, id, body, signal === undefined ? {} : { signal });
      return { reached: meaningOf(status) === 'accepted', status, fault: null, durationMs };
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error;
      return { reached: false, status: null, fault: error.fault, durationMs: Math.round(performance.now() - began) };
    }
  }

  private async post(
    target: Target,
    id: string,
    kept: Buffer,
    way: Way,
  ): Promise<HttpAnswer & Pick<EndpointAnswer, 'retryAfterMs'>> {
    const body = await this.sentOf(target, kept);
    const began = performance.now();
    const now = this.clock.now();
    const timestampS = Math.floor(now.getTime() / 1000);
    const traceparent = presentTraceparent();
    const { headers, sign, ...request } = this.requestsTo(target, now);
    const answer = await this.caller.post({
      ...request,
      body,
      headers: {
        ...headers,
        'webhook-id': id,
        'webhook-timestamp': String(timestampS),
        'webhook-signature': sign({ id, timestampS, body }),
        ...(traceparent === null ? {} : { traceparent }),
      },
      ...way,
    });
    return { ...answer, durationMs: Math.round(performance.now() - began) };
  }

  silenceOf(error: unknown): NoAnswer {
    if (!(error instanceof NoAnswerError)) return { kind: 'silent', fault: 'not_sent', mayHaveArrived: false };
    return { kind: 'silent', fault: error.fault, mayHaveArrived: error.mayHaveArrived };
  }

  reportOf({ reportId }: DueDelivery<Own>): string | null {
    return reportId;
  }

  columnsOf(_deliveryId: string, outcome: Outcome<HttpAnswer>): Columns {
    if (outcome.kind === 'silent') return { status_code: null, duration_ms: null, answer: null };
    const { status, durationMs, beginning } = outcome.answer;
    return { status_code: status, duration_ms: durationMs, answer: beginning };
  }
}
