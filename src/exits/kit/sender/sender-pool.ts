import type { NotificationListener } from '../../../platform/database/notification-listener.js';
import { EndpointSender, type SenderPorts } from './endpoint-sender.js';
import type { SendingEndpoint } from './exit.js';
import type { SenderTimings } from './sender-timings.js';

export interface PoolPorts<Endpoint, Own, Answer> extends SenderPorts<Endpoint, Own, Answer> {
  readonly notifications: NotificationListener;
  /** Endpoints that are not paused, of all tenants. */
  readonly endpoints: () => Promise<readonly Endpoint[]>;
}

/** One sender for each endpoint. Every process has one for each; the lease says which of them sends. */
export class SenderPool<Endpoint extends SendingEndpoint, Own, Answer> {
  private readonly senders = new Map<
    string,
    { readonly revision: string; readonly sender: EndpointSender<Endpoint, Own, Answer> }
  >();
  private unlisten: (() => void) | undefined;
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | null = null;
  private stopped = false;

  constructor(
    private readonly channel: string,
    private readonly ports: PoolPorts<Endpoint, Own, Answer>,
    private readonly timings: SenderTimings,
  ) {}

  onApplicationBootstrap(): void {
    this.unlisten = this.ports.notifications.on(this.channel, (payload) => {
      const [endpointId = '', atOnce] = payload.split(' ');
      const running = this.senders.get(endpointId);
      if (running === undefined) this.look();
      else running.sender.wake(atOnce === 'now');
    });
    this.timer = setInterval(() => this.look(), this.timings.pollMs);
    this.look();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    this.unlisten?.();
    await this.looking;
    await Promise.all([...this.senders.values()].map(({ sender }) => sender.stop()));
    this.senders.clear();
  }

  /** Starts and stops senders so that each present endpoint has one. */
  private look(): void {
    if (this.stopped) return;
    this.looking ??= this.adjust()
      .catch((error: unknown) => this.ports.reports.endpointsUnknown(error))
      .finally(() => {
        this.looking = null;
      });
  }

  private async adjust(): Promise<void> {
    const wanted = new Map((await this.ports.endpoints()).map((endpoint) => [endpoint.id, endpoint]));
    for (const [id, { revision, sender }] of this.senders) {
      if (wanted.get(id)?.revision === revision) continue;
      this.senders.delete(id);
      await sender.stop();
    }
    if (this.stopped) return;
    for (const endpoint of wanted.values()) if (!this.senders.has(endpoint.id)) this.open(endpoint);
  }

  private open(endpoint: Endpoint): void {
    const sender = new EndpointSender(endpoint, this.ports, this.timings);
    this.senders.set(endpoint.id, { revision: endpoint.revision, sender });
    sender.start();
  }
}
