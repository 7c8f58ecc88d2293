import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { JWKSNoMatchingKey } from 'jose/errors';
import { z } from 'zod';
import type { Ehr } from '../core/ehrs/ehr.js';
import type { Clock } from '../core/ports/clock.js';
import type { Logger } from '../platform/logging/logger.js';
import type { EhrCaller } from './ehr-caller.js';

const LEAST_LIFE_MS = 60_000;
const USUAL_LIFE_MS = 600_000;
const LONGEST_LIFE_MS = 24 * 3_600_000;
/** Shortest interval at which an unknown `kid` has the key set fetched again. */
const AGAIN_AFTER_MS = 10_000;
const TIMEOUT_MS = 5000;
const LIMIT_BYTES = 64 * 1024;
const MOST_KEYS = 50;
const MOST_SETS = 1000;

/** Asymmetric keys alone: a shared secret in a public place is none. */
const KEY = z.looseObject({ kty: z.enum(['RSA', 'EC']), kid: z.string().min(1).max(256) });
const KEY_SET = z.object({ keys: z.array(z.unknown()) });

interface FetchedSet {
  readonly keys: JSONWebKeySet;
  readonly fetchedAtMs: number;
  readonly until: number;
}

type Addressed = Pick<Ehr, 'id' | 'fhirBaseUrl' | 'origins'>;

/** The public keys of EHRs from their addresses, kept as long as their headers say. */
export class EhrKeySets {
  private readonly fetched = new Map<string, FetchedSet>();
  private readonly running = new Map<string, Promise<FetchedSet>>();

  constructor(
    private readonly caller: Pick<EhrCaller, 'ask'>,
    private readonly clock: Clock,
    private readonly logger: Pick<Logger, 'error'>,
  ) {}

  /** Chooses the key that a token names. A key set that cannot be had has none. */
  of(ehr: Addressed, url: string): JWTVerifyGetKey {
    return async (header, token) => {
      const known = await this.latest(ehr, url, LONGEST_LIFE_MS);
      try {
        return await createLocalJWKSet(known.keys)(header, token);
      } catch (fault) {
        if (!(fault instanceof JWKSNoMatchingKey)) throw fault;
        const renewed = await this.latest(ehr, url, AGAIN_AFTER_MS);
        return createLocalJWKSet(renewed.keys)(header, token);
      }
    };
  }

  /** How many usable keys are there now. Throws where there is no key set. */
  async count(ehr: Addressed, url: string): Promise<number> {
    return (await this.ask(ehr, url)).keys.keys.length;
  }

  /** By registration as well: of two that name one address, one may not call it. */
  private async latest(ehr: Addressed, url: string, mostAgeMs: number): Promise<FetchedSet> {
    const place = `${ehr.id} ${url}`;
    const nowMs = this.clock.now().getTime();
    const known = this.fetched.get(place);
    if (known !== undefined && nowMs < known.until && nowMs - known.fetchedAtMs < mostAgeMs) return known;
    const running = this.running.get(place) ?? this.fetch(ehr, url, place).finally(() => this.running.delete(place));
    this.running.set(place, running);
    return running;
  }

  private async fetch(ehr: Addressed, url: string, place: string): Promise<FetchedSet> {
    const fetchedAtMs = this.clock.now().getTime();
    const set = await this.ask(ehr, url).then(
      ({ keys, lifeMs }) => ({ keys, fetchedAtMs, until: fetchedAtMs + lifeMs }),
      (fault: unknown) => {
        this.logger.error('ehr.keys_unreachable', { ehrId: ehr.id }, fault);
        const known = this.fetched.get(place);
        // Keys that the EHR said would hold do so: one answer that fails takes none of them away.
        return known !== undefined && fetchedAtMs < known.until
          ? { ...known, fetchedAtMs }
          : { keys: { keys: [] }, fetchedAtMs, until: fetchedAtMs + AGAIN_AFTER_MS };
      },
    );
    if (this.fetched.size >= MOST_SETS) this.fetched.clear();
    this.fetched.set(place, set);
    return set;
  }

  private async ask(ehr: Addressed, url: string): Promise<{ keys: JSONWebKeySet; lifeMs: number }> {
    const { status, headers, body } = await this.caller.ask(ehr, {
      method: 'GET',
      url,
      headers: { accept: 'application/json' },
      timeoutMs: TIMEOUT_MS,
      limitBytes: LIMIT_BYTES,
    });
    if (status !== 200) throw new Error(`The address of the keys answers ${status}.`);
    const { keys } = KEY_SET.parse(JSON.parse(body.toString('utf8')));
    const usable = keys.slice(0, MOST_KEYS).flatMap((key) => KEY.safeParse(key).data ?? []);
    return { keys: { keys: usable } as JSONWebKeySet, lifeMs: lifeOf(headers['cache-control']) };
  }
}

function lifeOf(cacheControl: string | undefined): number {
  const stated = /(?:^|[,\s])max-age=(\d{1,9})/i.exec(cacheControl ?? '')?.[1];
  if (stated === undefined) return USUAL_LIFE_MS;
  return Math.min(LONGEST_LIFE_MS, Math.max(LEAST_LIFE_MS, Number(stated) * 1000));
}
