import { isDeepStrictEqual } from 'node:util';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { SchemaWatch } from '../../../../platform/database/schema-watch.js';
import { NotificationListener } from '../../../../platform/database/notification-listener.js';
import { Logger } from '../../../../platform/logging/logger.js';
import { certificateDays } from '../../../../standards/hl7v2/mllp/certificates.js';
import type { MllpListener, MllpTls } from '../../../../standards/hl7v2/mllp/mllp-listener.js';
import { servingOf, type Hl7Listener } from '../listeners/hl7-listener.js';
import { certificateEnd, isSameTls, readListenerTls } from '../listeners/listener-tls.js';
import { ListenerRepository } from '../listeners/listener.repository.js';
import { ListenerServers } from './listener-servers.js';
import { ServedListeners } from '../listeners/served-listeners.js';

/** Notifies of changed listeners or destinations; the payload is the table. */
export const HL7_CHANGED_CHANNEL = 'sutura_peers_changed';
/** Interval for missed notifications, ports that were taken, and renewed certificates. */
const LOOK_MS = 4000;
const STOP_GRACE_MS = 15_000;

interface Running {
  /** As its messages are read from now on. */
  listener: Hl7Listener;
  readonly server: MllpListener;
  /** The TLS of new connections. */
  tls: MllpTls | null;
}

/**
 * Keeps the MLLP listeners of the table open: changes, and certificates whose files were replaced, take effect within 5
 * s. Connections stay open where the socket is the same.
 */
@Injectable()
export class ListenerSupervisor implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly running = new Map<string, Running>();
  /** The reason why a listener is not served, as last logged. */
  private readonly failing = new Map<string, string>();
  /** The reason why a changed certificate is not used, as last logged. */
  private readonly outdated = new Map<string, string>();
  private work: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;
  private forget: (() => void) | undefined;
  private stopped = false;
  private looked = false;

  constructor(
    private readonly listeners: ListenerRepository,
    private readonly servers: ListenerServers,
    private readonly served: ServedListeners,
    private readonly notifications: NotificationListener,
    private readonly logger: Logger,
    private readonly schema: SchemaWatch,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.forget = this.notifications.on(HL7_CHANGED_CHANNEL, () => void this.look());
    this.schema.onChange(() => this.look());
    this.timer = setInterval(() => void this.look(), LOOK_MS);
    await this.look();
  }

  /** Runs before the resources that messages in work still need are closed. */
  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    this.forget?.();
    await this.work;
    await this.closeAll();
    await this.tell([]);
  }

  /** False until the listeners have been looked up once. */
  get isReady(): boolean {
    return this.looked;
  }

  /** The port of a served listener; null: it is not served. */
  portOf(listenerId: string): number | null {
    return this.running.get(listenerId)?.server.port ?? null;
  }

  /** Brings the served listeners in line with the table, one pass at a time. */
  look(): Promise<void> {
    this.work = this.work
      .then(() => this.reconcile())
      .catch((fault: unknown) =>
        this.logger.warn('hl7.listeners_unknown', { error: fault instanceof Error ? fault.name : 'unknown' }),
      );
    return this.work;
  }

  private async reconcile(): Promise<void> {
    if (this.stopped) return;
    if (this.schema.isNewer) return this.closeAll();
    const wanted = new Map(
      (await this.listeners.list())
        .filter(({ enabled, settings }) => enabled && settings.port !== null)
        .map((listener) => [listener.id, listener]),
    );
    for (const [id, running] of [...this.running]) {
      const now = wanted.get(id);
      if (now === undefined || !isDeepStrictEqual(servingOf(now), servingOf(running.listener))) await this.close(id);
      else running.listener = now;
    }
    for (const running of this.running.values()) await this.renew(running);
    for (const listener of wanted.values()) if (!this.running.has(listener.id)) await this.open(listener);
    this.looked = true;
    await this.tell([...wanted.keys()]);
  }

  /** A failed report does not stop the serving. */
  private async tell(listenerIds: readonly string[]): Promise<void> {
    const reports = listenerIds.map((listenerId) => {
      const running = this.running.get(listenerId);
      if (running === undefined)
        return { listenerId, reason: this.failing.get(listenerId) ?? 'unknown', certificateExpiresAt: null };
      return { listenerId, reason: null, certificateExpiresAt: certificateEnd(running.tls) };
    });
    await this.served
      .tell(reports)
      .catch((fault: unknown) =>
        this.logger.warn('hl7.listeners_not_told', { error: fault instanceof Error ? fault.name : 'unknown' }),
      );
  }

  private async open(listener: Hl7Listener): Promise<void> {
    const { id, settings } = listener;
    const current = (): Hl7Listener => this.running.get(id)?.listener ?? listener;
    if (!this.servers.mayOpen(listener)) return this.notServed(id, 'plain_not_allowed');
    try {
      const { server, tls } = await this.servers.open(listener, current);
      this.running.set(id, { listener, server, tls });
      this.failing.delete(id);
      this.logger.info('hl7.listening', { listenerId: id, port: server.port, tls: settings.tls !== null });
    } catch (fault) {
      this.notServed(id, faultCodeOf(fault));
    }
  }

  /** Half-written files, or files that do not match, are tried again; until then the listener keeps its certificate. */
  private async renew(running: Running): Promise<void> {
    const { id: listenerId } = running.listener;
    try {
      const tls = await readListenerTls(running.listener);
      if (tls !== null && !isSameTls(tls, running.tls)) {
        const end = certificateEnd(tls)!;
        running.server.renewTls(tls);
        running.tls = tls;
        this.logger.info('hl7.certificate_renewed', { listenerId, expiresInDays: certificateDays(end, new Date()) });
      }
      this.outdated.delete(listenerId);
    } catch (fault) {
      const reason = faultCodeOf(fault);
      if (this.outdated.get(listenerId) !== reason)
        this.logger.error('hl7.certificate_not_renewed', { listenerId, reason });
      this.outdated.set(listenerId, reason);
    }
  }

  /** Logged once, as long as the reason stays the same. */
  private notServed(listenerId: string, reason: string): void {
    if (this.failing.get(listenerId) !== reason) this.logger.error('hl7.listener_not_served', { listenerId, reason });
    this.failing.set(listenerId, reason);
  }

  private async closeAll(): Promise<void> {
    await Promise.all([...this.running.keys()].map((id) => this.close(id)));
  }

  private async close(id: string): Promise<void> {
    const running = this.running.get(id);
    this.running.delete(id);
    this.outdated.delete(id);
    if (running === undefined) return;
    await running.server
      .stop(STOP_GRACE_MS)
      .catch((fault: unknown) => this.logger.error('hl7.listener_stop_failed', { listenerId: id }, fault));
    this.logger.info('hl7.listener_closed', { listenerId: id });
  }
}

/** `EADDRINUSE`, `ENOENT`, `ERR_OSSL_…`: never a path. */
function faultCodeOf(fault: unknown): string {
  const code = (fault as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : 'unknown';
}
