import { SuturaError } from '../../core/errors/sutura-error.js';
import type { Clock } from '../../core/ports/clock.js';
import type { ApiKeyRepository } from '../../core/organizations/api-key.repository.js';
import { apiKeyStateAt, type ApiKeyRecord, type Caller } from '../../core/tenancy/api-key.js';
import { KEYS_CHANGED_CHANNEL } from '../../platform/database/notification-listener.js';
import type { Logger } from '../../platform/logging/logger.js';
import { requireAllowedNetwork } from './allowed-networks.js';
import { KeyCache } from './key-cache.js';
import { digestOfKey, isKeyText } from './key-text.js';

const TOUCH_INTERVAL_MS = 60_000;
const MOST_TOUCHED = 10_000;

/** Notifications of changed keys, from this process and others. */
interface KeyChangeFeed {
  on(channel: string, handler: (payload: string) => void): () => void;
}

/** A token of a client, as AccessTokens reads it. */
interface TokenReader {
  authenticate(
    text: string,
    address: string,
    known: (client: Pick<Caller, 'keyId' | 'organizationId' | 'environment'>) => void,
  ): Promise<Caller>;
}

/** A JSON Web Token begins with the base64 of `{"`. */
const TOKEN = /^eyJ/;
/** A name and a password, which only the doors that say so take. */
const BASIC = /^Basic /i;
const NOT_BASIC =
  'Names and passwords are not taken here. Send the key as "Authorization: Bearer <key>" or "X-API-Key: <key>".';

/** Finds the caller of a key text, or of a client's token. A revocation takes effect at once by notification, and within 4 s without it. */
export class KeyAuthenticator {
  private readonly cache: KeyCache<ApiKeyRecord>;
  private readonly touchedAtMs = new Map<string, number>();
  private readonly stopListening: () => void;

  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly clock: Clock,
    private readonly logger: Logger,
    changes: KeyChangeFeed,
    private readonly tokens: TokenReader,
  ) {
    this.cache = new KeyCache(() => this.clock.now().getTime());
    this.stopListening = changes.on(KEYS_CHANGED_CHANNEL, () => this.cache.clear());
  }

  /**
   * `address`: of the caller. `known` is called with the owner of the key, even of one that has ended. `auth.missing`, `auth.invalid`,
   * `auth.revoked`, `auth.expired`, `auth.network`.
   */
  async authenticate(
    text: string | null,
    address: string,
    known: (key: Pick<Caller, 'keyId' | 'organizationId' | 'environment'>) => void = () => undefined,
  ): Promise<Caller> {
    if (text === null || text === '') throw new SuturaError('auth.missing');
    if (TOKEN.test(text)) return this.tokens.authenticate(text, address, known);
    if (BASIC.test(text)) throw new SuturaError('auth.invalid', { detail: NOT_BASIC });
    if (!isKeyText(text)) throw new SuturaError('auth.invalid');
    const digest = digestOfKey(text);
    const record = await this.cache.get(digest.toString('hex'), () => this.keys.findByDigest(digest));
    if (record === null) throw new SuturaError('auth.invalid');
    const { id: keyId, organizationId, environment, scopes, namesPersons } = record;
    const caller = { keyId, organizationId, environment, scopes, ...(namesPersons ? { namesPersons } : {}) };
    known(caller);
    this.refuseEnded(record);
    requireAllowedNetwork(record.allowedNetworks, address);
    this.touch(record.id);
    return caller;
  }

  close(): void {
    this.stopListening();
  }

  private refuseEnded(record: ApiKeyRecord): void {
    const state = apiKeyStateAt(record, this.clock.now());
    // The database's clock wrote revokedAt. Ours may be behind it, and a revoked key must not wait.
    if (state === 'revoked' || record.revokedAt !== null) throw new SuturaError('auth.revoked');
    if (state === 'expired') throw new SuturaError('auth.expired');
  }

  private touch(keyId: string): void {
    const nowMs = this.clock.now().getTime();
    const last = this.touchedAtMs.get(keyId);
    if (last !== undefined && Math.abs(nowMs - last) < TOUCH_INTERVAL_MS) return;
    if (this.touchedAtMs.size >= MOST_TOUCHED) this.touchedAtMs.clear();
    this.touchedAtMs.set(keyId, nowMs);
    this.keys.touch(keyId).catch((fault: unknown) => this.logger.error('key.touch_failed', { keyId }, fault));
  }
}
