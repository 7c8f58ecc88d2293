import type { Browser } from 'playwright-core';
import { AdminBrowser } from './admin-browser.js';
import { expectStatus } from './api-client.js';
import { openBrowser } from './browser.js';
import { ConsolePages } from './console-pages.js';
import { startGateway, type Gateway } from './gateway.js';
import { Hl7Hospital } from './hl7-hospital.js';

/** A gateway with a hospital, the users ada (installation admin) and vera (viewer of the hospital), and a browser. */
export class ConsoleGround {
  private constructor(
    readonly gateway: Gateway,
    readonly browser: Browser,
    readonly pages: ConsolePages,
    readonly hospital: Hl7Hospital,
    readonly organizationId: string,
    /** By whom things are set up once people log in, which ends the token. */
    readonly ada: AdminBrowser,
  ) {}

  /** `env`: settings of the gateway over those of the ground. */
  static async open(env: Readonly<Record<string, string>> = {}): Promise<ConsoleGround> {
    const [gateway, browser] = await Promise.all([
      startGateway({ env: { TRUST_PROXY: 'loopback', ...env } }),
      openBrowser(),
    ]);
    const hospital = await Hl7Hospital.open(gateway, {}, { receivingApplication: 'EHR', receivingFacility: 'HOPS' });
    const listeners = expectStatus(200, await gateway.admin('GET', '/hl7/listeners')).body as {
      items: { organizationId: string }[];
    };
    const { organizationId } = listeners.items[0]!;
    // Further users are made by an installation admin, once there is one.
    const invited = expectStatus(201, await gateway.admin('POST', '/users', { name: 'ada', installationAdmin: true }));
    const viewer = expectStatus(
      201,
      await gateway.admin('POST', '/users', { name: 'vera', roles: [{ organizationId, role: 'viewer' }] }),
    );
    const [, ada] = await Promise.all(
      [viewer, invited].map(({ body }) =>
        new AdminBrowser(gateway).enter(body as { readonly name: string; readonly setupCode: string }),
      ),
    );
    return new ConsoleGround(gateway, browser, new ConsolePages(gateway, browser), hospital, organizationId, ada!);
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.hospital.close();
    await this.gateway.stop();
  }
}
