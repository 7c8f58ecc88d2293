import { randomBytes } from 'node:crypto';
import type { EhrState } from './ehr-state.js';
import type { LaunchContext, RegisteredClient } from './launches.js';
import { readScope } from './scopes.js';

/** Seconds that a code lives. */
const CODE_LIFE_S = 60;

/** What one authorization gave to one client. */
export interface Session {
  readonly id: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly context: LaunchContext;
}

/** A code with what it must come back with. */
export interface Code extends Session {
  readonly redirectUri: string;
  readonly challenge: string;
  readonly nonce: string | undefined;
  readonly expiresAtMs: number;
  isUsed: boolean;
}

/** What the authorization and the token endpoint share: clients, codes, and tokens that renew others. */
export class Sessions {
  readonly clients = new Map<string, RegisteredClient>();
  private readonly codes = new Map<string, Code>();
  private readonly refreshes = new Map<string, Session>();

  constructor(private readonly state: EhrState) {}

  /** A code for what was asked for; its scopes are those that are given of it. */
  openCode(client: RegisteredClient, asked: URLSearchParams, context: LaunchContext): string {
    const code = randomBytes(24).toString('base64url');
    this.codes.set(code, {
      id: randomBytes(9).toString('base64url'),
      clientId: client.clientId,
      scopes: this.granted(client, asked.get('scope')!.split(' '), context),
      context,
      redirectUri: asked.get('redirect_uri')!,
      challenge: asked.get('code_challenge')!,
      nonce: asked.get('nonce') ?? undefined,
      expiresAtMs: this.state.now() + CODE_LIFE_S * 1_000,
      isUsed: false,
    });
    return code;
  }

  findCode(code: string): Code | undefined {
    return this.codes.get(code);
  }

  /** A token that renews the session's once. */
  openRefresh(session: Session): string {
    const token = randomBytes(24).toString('base64url');
    this.refreshes.set(token, session);
    return token;
  }

  /** What a renewing token stands for; it is used up by the question. */
  takeRefresh(token: string): Session | undefined {
    const session = this.refreshes.get(token);
    this.refreshes.delete(token);
    return session;
  }

  /** Ends all that one authorization gave. */
  end(sessionId: string): void {
    this.state.tokens.end(sessionId);
    for (const [token, { id }] of this.refreshes) if (id === sessionId) this.refreshes.delete(token);
  }

  /** Whether a client may have a scope, and this EHR declares scopes of its version. */
  isGrantable(client: RegisteredClient, scope: string): boolean {
    const read = readScope(scope);
    return client.scopes.includes(scope) && (read === null || this.state.rules.permissions.includes(read.version));
  }

  private granted(client: RegisteredClient, asked: readonly string[], { fault }: LaunchContext): readonly string[] {
    const given = asked.filter((scope) => this.isGrantable(client, scope));
    return fault === 'fewer-scopes' ? given.filter((scope) => readScope(scope) === null) : given;
  }
}
