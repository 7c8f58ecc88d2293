import { Injectable } from '@nestjs/common';
import { Settings } from '../../../../platform/config/settings.js';
import { MllpListener, type MllpTls } from '../../../../standards/hl7v2/mllp/mllp-listener.js';
import type { Hl7Listener } from '../listeners/hl7-listener.js';
import { readListenerTls } from '../listeners/listener-tls.js';
import { MllpHandlers } from './mllp-handlers.js';

const OWN_ADDRESSES = ['127.0.0.1', '::1', 'localhost'];

/** Opens the MLLP servers of listeners. */
@Injectable()
export class ListenerServers {
  constructor(
    private readonly handlers: MllpHandlers,
    private readonly settings: Settings,
  ) {}

  /** Without TLS only on this machine, unless the operator allows it everywhere. */
  mayOpen({ settings }: Hl7Listener): boolean {
    return settings.tls !== null || this.settings.hl7.allowPlain || OWN_ADDRESSES.includes(this.hostOf(settings.host));
  }

  /** Listening. `current`: as it is when a message comes. Rejects where a port is taken or a file of the TLS cannot be read. */
  async open(
    listener: Hl7Listener,
    current: () => Hl7Listener,
  ): Promise<{ readonly server: MllpListener; readonly tls: MllpTls | null }> {
    const { host, port, maxConnections, networks, idleTimeoutS, firstMessageTimeoutS } = listener.settings;
    const tls = await readListenerTls(listener);
    const { maxBytes } = this.settings.hl7;
    const address = { host: this.hostOf(host), port: port ?? 0, tls };
    const server = new MllpListener(
      {
        ...address,
        maxFrameBytes: maxBytes,
        maxConnections,
        allowedNetworks: networks,
        idleMs: idleTimeoutS * 1000,
        firstFrameMs: firstMessageTimeoutS * 1000,
      },
      this.handlers.of(current),
    );
    await server.start();
    return { server, tls };
  }

  private hostOf(host: string | null): string {
    return host ?? this.settings.hl7.host;
  }
}
