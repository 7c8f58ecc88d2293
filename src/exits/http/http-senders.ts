import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { Settings } from '../../platform/config/settings.js';
import { SENDER_TIMINGS, SenderPool, SenderTimings, HTTP_RETRY_PAUSES_MS, type PoolPorts } from '../kit/index.js';
import type { HttpAnswer, HttpColumns, HttpEndpoint } from './http-transport.js';

/** Timings of senders over HTTP. Stands as an injection token; tests give shorter ones. */
export abstract class HttpTimings extends SenderTimings {}

/** Ten attempts over three days, then parked. */
export const HTTP_TIMINGS: HttpTimings = { ...SENDER_TIMINGS, failurePausesMs: HTTP_RETRY_PAUSES_MS };

/** A sender for each endpoint of an exit over HTTP, in processes with the role `api`. */
export class HttpSenders<Target, Own extends HttpColumns>
  extends SenderPool<HttpEndpoint<Target>, Own, HttpAnswer>
  implements OnApplicationBootstrap, BeforeApplicationShutdown
{
  constructor(
    channel: string,
    ports: PoolPorts<HttpEndpoint<Target>, Own, HttpAnswer>,
    timings: HttpTimings,
    private readonly roles: Settings['process']['roles'],
  ) {
    super(channel, ports, timings);
  }

  override onApplicationBootstrap(): void {
    if (this.roles.includes('api')) super.onApplicationBootstrap();
  }
}
