import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { JWKSNoMatchingKey } from 'jose/errors';
import type { Clock } from '../../core/ports/clock.js';
import type { ClientRecord } from '../../core/tenancy/client-record.js';
import { guardedGet, type GetRules } from '../../platform/http-client/guarded-get.js';
import type { Logger } from '../../platform/logging/logger.js';
import { publicKeySet } from '../keys/public-key-set.js';

const LEAST_LIFE_MS = 60_000;
const USUAL_LIFE_MS = 600_000;
const LONGEST_LIFE_MS = 24 * 3_600_000;
/** Shortest interval at which an unknown `kid` refetches the key set. */
const AGAIN_AFTER_MS = 10_000;
const MOST_SETS = 1000;

interface FetchedSet {
  readonly keys: JSONWebKeySet;
  readonly fetchedAtMs: number;
  readonly until: number;
}

/** The public keys of clients: as registered, or from their address, kept as long as its headers say. */
export class ClientKeySets {
  private readonly fetched = new Map<string, FetchedSet>();
  private readonly running = new Map<string, Promise<FetchedSet>>();

  constructor(
    private readonly rules: GetRules,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Chooses the key that an assertion names. A key set that cannot be had has none. */
  of({ id, keys }: Pick<ClientRecord, 'id' | 'keys'>): JWTVerifyGetKey {
    if (keys.kind === 'given') return createLocalJWKSet({ keys: [...keys.keys] } as JSONWebKeySet);
    return async (header, token) => {
      const known = await this.latest(id, keys.url, LONGEST_LIFE_MS);
      try {
        return await createLocalJWKSet(known.keys)(header, token);
      } catch (fault) {
        if (!(fault instanceof JWKSNoMatchingKey)) throw fault;
        const renewed = await this.latest(id, keys.url, AGAIN_AFTER_MS);
        return createLocalJWKSet(renewed.keys)(header, token);
      }
    };
  }

  private async latest(clientId: string, url: string, mostAgeMs: number): Promise<FetchedSet> {
    const nowMs = this.clock.now().getTime();
    const known = this.fetched.get(url);
    if (known !== undefined && nowMs < known.until && nowMs - known.fetchedAtMs < mostAgeMs) return known;
    const running = this.running.get(url) ?? this.fetch(clientId, url).finally(() => this.running.delete(url));
    this.running.set(url, running);
    return running;
  }

  private async fetch(clientId: string, url: string): Promise<FetchedSet> {
    const fetchedAtMs = this.clock.now().getTime();
    const keys = await this.ask(url).catch((fault: unknown) => {
      this.logger.error('smart.keys_unreachable', { clientId }, fault);
      return { keys: { keys: [] }, lifeMs: AGAIN_AFTER_MS };
    });
    const set = { keys: keys.keys, fetchedAtMs, until: fetchedAtMs + keys.lifeMs };
    if (this.fetched.size >= MOST_SETS) this.fetched.clear();
    this.fetched.set(url, set);
    return set;
  }

  private async ask(url: string): Promise<{ keys: JSONWebKeySet; lifeMs: number }> {
    const { status, headers, body } = await guardedGet(new URL(url), 'application/json', this.rules);
    if (status !== 200) throw new Error(`The address of the keys answers ${status}.`);
    const { keys } = publicKeySet(JSON.parse(body.toString('utf8')));
    return { keys: { keys } as JSONWebKeySet, lifeMs: lifeOf(headers['cache-control']) };
  }
}

function lifeOf(cacheControl: string | undefined): number {
  const stated = /(?:^|[,\s])max-age=(\d{1,9})/i.exec(cacheControl ?? '')?.[1];
  if (stated === undefined) return USUAL_LIFE_MS;
  return Math.min(LONGEST_LIFE_MS, Math.max(LEAST_LIFE_MS, Number(stated) * 1000));
}
