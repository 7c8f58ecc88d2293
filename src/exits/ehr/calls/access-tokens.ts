import { Injectable } from '@nestjs/common';
import { isSuturaError } from '../../../core/errors/sutura-error.js';
import { Clock } from '../../../core/ports/clock.js';
import {
  ASSERTION_TYPE,
  EhrCaller,
  NoAssertionError,
  NoEhrAnswerError,
  PublishedKeys,
  type AssertionTerms,
  type EhrAnswer,
} from '../../../ehrs/index.js';
import type { PushingEhr } from '../settings/pushing-ehr.js';
import { needsOfPush } from '../dialects/dialects.js';
import type { Need } from '../dialects/filing.js';

interface KnownToken {
  readonly token: string;
  readonly untilMs: number;
}

interface TokenEndpoint {
  readonly tokenUrl: string;
  readonly hasScopesV2: boolean;
  /** By which assertions may be signed; undefined: not stated. */
  readonly algorithms: readonly string[] | undefined;
}

const ALGORITHMS = 'token_endpoint_auth_signing_alg_values_supported';
/** A token is not used in its last seconds: the request has to arrive in its time. */
const LAST_MS = 15_000;
/** Where the server does not say. */
const USUAL_LIFE_S = 60;
const LONGEST_LIFE_S = 3600;

/** Tokens by which results are let in, one for each EHR, remembered by this process alone. */
@Injectable()
export class AccessTokens {
  private readonly known = new Map<string, KnownToken>();

  constructor(
    private readonly caller: EhrCaller,
    private readonly keys: PublishedKeys,
    private readonly clock: Clock,
  ) {}

  /** null: the EHR asks for none. NoEhrAnswerError `token_refused`, `token_unusable`, or as the caller has it: nothing was sent. */
  async of(ehr: PushingEhr, signal?: AbortSignal): Promise<string | null> {
    switch (ehr.push.auth) {
      case 'none':
        return null;
      case 'bearer':
        // It is registered, and cannot be read with the key of this installation: nothing is sent without it.
        if (ehr.push.token === null) throw new NoEhrAnswerError('token_unreadable', false);
        return ehr.push.token;
      case 'backend-services': {
        const kept = this.known.get(keyOf(ehr));
        if (kept !== undefined && this.clock.now().getTime() < kept.untilMs - LAST_MS) return kept.token;
        const fresh = await this.fetch(ehr, signal);
        this.known.set(keyOf(ehr), fresh);
        return fresh.token;
      }
    }
  }

  /** The EHR no longer takes the token. False: there is no other to be had. */
  forget(ehr: PushingEhr): boolean {
    return this.known.delete(keyOf(ehr));
  }

  private async fetch(ehr: PushingEhr, signal?: AbortSignal): Promise<KnownToken> {
    const clientId = ehr.push.clientId ?? ehr.launch?.clientId;
    if (clientId === undefined) throw new NoEhrAnswerError('token_refused', false);
    const aborting = signal === undefined ? {} : { signal };
    try {
      const { tokenUrl, hasScopesV2, algorithms } = await this.endpointOf(ehr, signal);
      const form = new URLSearchParams({
        grant_type: 'client_credentials',
        scope: (ehr.push.scopes ?? scopesOf(needsOfPush(ehr.push), hasScopesV2)).join(' '),
        client_assertion_type: ASSERTION_TYPE,
        client_assertion: await this.assertion(ehr, { clientId, tokenUrl, algorithms }),
      });
      const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
      const answer = await this.caller.ask(ehr, {
        method: 'POST',
        url: tokenUrl,
        headers,
        body: form.toString(),
        ...aborting,
      });
      return this.toToken(answer);
    } catch (fault) {
      if (!(fault instanceof NoEhrAnswerError)) throw fault;
      // A token that was lost on its way files nothing.
      throw new NoEhrAnswerError(fault.fault.startsWith('token_') ? fault.fault : `token ${fault.fault}`, false);
    }
  }

  private async assertion(ehr: PushingEhr, terms: Omit<AssertionTerms, 'organizationId'>): Promise<string> {
    try {
      return await this.keys.assert({ organizationId: ehr.organizationId, ...terms });
    } catch (fault) {
      // No result is at fault: the EHR cannot be asked until one side is changed.
      if (fault instanceof NoAssertionError || isSuturaError(fault, 'ehr.not_found'))
        throw new NoEhrAnswerError('token_unusable', false);
      throw fault;
    }
  }

  private async endpointOf(ehr: PushingEhr, signal?: AbortSignal): Promise<TokenEndpoint> {
    const url = `${ehr.fhirBaseUrl}/.well-known/smart-configuration`;
    const headers = { accept: 'application/json' };
    const answer = await this.caller.ask(ehr, {
      method: 'GET',
      url,
      headers,
      ...(signal === undefined ? {} : { signal }),
    });
    const { token_endpoint: tokenUrl, capabilities, [ALGORITHMS]: algorithms } = readFields(answer.body);
    if (answer.status !== 200 || typeof tokenUrl !== 'string') throw new NoEhrAnswerError('token_unusable', false);
    const stated = textsOf(capabilities) ?? [];
    const hasScopesV2 = stated.includes('permission-v2') || !stated.includes('permission-v1');
    return { tokenUrl, hasScopesV2, algorithms: textsOf(algorithms) };
  }

  private toToken({ status, body }: EhrAnswer): KnownToken {
    if (status !== 200) throw new NoEhrAnswerError('token_refused', false);
    const { access_token: token, token_type: type, expires_in: expiresIn } = readFields(body);
    const isBearer = typeof type === 'string' && type.toLowerCase() === 'bearer';
    if (typeof token !== 'string' || !/^[\x21-\x7e]{1,8192}$/.test(token) || !isBearer)
      throw new NoEhrAnswerError('token_unusable', false);
    const statedS = typeof expiresIn === 'number' && expiresIn > 0 ? expiresIn : USUAL_LIFE_S;
    const lifeS = Math.min(statedS, LONGEST_LIFE_S);
    return { token, untilMs: this.clock.now().getTime() + lifeS * 1000 };
  }
}

/** A token of other settings is none of these. */
function keyOf({ id, updatedAt }: PushingEhr): string {
  return `${id} ${updatedAt.toISOString()}`;
}

/** Scopes of system clients for what the dialect does, each type once, in the letters of SMART 2 or the words of SMART 1. */
export function scopesOf(needs: readonly Need[], isV2: boolean): readonly string[] {
  const types = [...new Set(needs.flatMap(({ type }) => type ?? []))];
  const writes = (type: string): boolean => needs.some((need) => need.type === type && need.interaction === 'create');
  return types.flatMap((type) => {
    if (isV2) return [`system/${type}.${writes(type) ? 'crus' : 'rs'}`];
    return [`system/${type}.read`, ...(writes(type) ? [`system/${type}.write`] : [])];
  });
}

function readFields(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(body.toString('utf8'));
    return typeof read === 'object' && read !== null ? (read as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

function textsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : undefined;
}
