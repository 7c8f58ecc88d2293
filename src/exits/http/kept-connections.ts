import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

/** Shorter than the keep-alive of servers: 5 s in Node.js and Apache, longer elsewhere. */
const KEPT_MS = 4000;
const OPTIONS = { keepAlive: true, maxFreeSockets: 1, timeout: KEPT_MS } as const;

/**
 * The connection to one endpoint, used again for some seconds. Never shared between endpoints: what one receiver does to its connection is felt by
 * it alone. It is used again only for the address that it leads to, so that each request goes where the guard admitted it.
 */
export class KeptConnections {
  private agent: HttpAgent | null = null;
  private leadsTo = '';

  /** `address`: as the guard admitted it for this request. */
  agentFor(protocol: string, address: string): HttpAgent {
    const target = `${protocol}//${address}`;
    if (this.agent === null || this.leadsTo !== target) {
      this.close();
      this.agent = protocol === 'https:' ? new HttpsAgent(OPTIONS) : new HttpAgent(OPTIONS);
      this.leadsTo = target;
    }
    return this.agent;
  }

  close(): void {
    this.agent?.destroy();
    this.agent = null;
  }
}
