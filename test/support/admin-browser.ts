import { randomInt } from 'node:crypto';
import { TOTP, Secret } from 'otpauth';
import { expectStatus, send, type Answer } from './api-client.js';
import type { SharedGateway } from './gateway.js';

export const PASSWORD = 'seven suns over one meadow';

/** A user's browser at the admin API: it keeps the cookie, and its page sends the token with each request. */
export class AdminBrowser {
  cookie = '';
  /** By which the service knows this browser at the next login. */
  device = '';
  csrfToken = '';

  constructor(
    private readonly gateway: Pick<SharedGateway, 'baseUrl'>,
    private readonly address = `198.51.${randomInt(256)}.${randomInt(256)}`,
  ) {}

  /** `headers` over those that a page of the gateway itself would cause. */
  async ask(
    method: string,
    path: string,
    json?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const cookie = [this.cookie, this.device].filter((text) => text !== '').join('; ');
    const answer = await send(method, `${this.gateway.baseUrl}/admin/v1${path}`, {
      ...(json === undefined ? {} : { json }),
      headers: {
        ...(cookie === '' ? {} : { cookie }),
        ...(this.csrfToken === '' ? {} : { 'x-csrf-token': this.csrfToken }),
        'x-forwarded-for': this.address,
        ...headers,
      },
    });
    const given = answer.headers.getSetCookie().find((text) => /^(?:__Host-)?sutura-device=/.test(text));
    if (given !== undefined) this.device = given.split(';')[0]!;
    return answer;
  }

  async tryLogIn(name: string, password = PASSWORD, code?: string): Promise<Answer> {
    const answer = await this.ask('POST', '/session', { name, password, ...(code === undefined ? {} : { code }) });
    if (answer.status !== 200) return answer;
    this.cookie = answer.headers.getSetCookie()[0]!.split(';')[0]!;
    this.csrfToken = answer.body.csrfToken as string;
    return answer;
  }

  async logIn(name: string, password = PASSWORD, code?: string): Promise<this> {
    expectStatus(200, await this.tryLogIn(name, password, code));
    return this;
  }

  /** Sets the password by a set-up code, and logs in. */
  async enter({ name, setupCode }: { readonly name: string; readonly setupCode: string }): Promise<this> {
    expectStatus(200, await this.ask('POST', '/session/setup', { setupCode, password: PASSWORD }));
    return this.logIn(name);
  }
}

/** The code that an authenticator app shows, `steps` of 30 s from now. */
export function codeAt(secret: string, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
}
