import { jwtVerify, SignJWT, type JWTPayload, type JWTVerifyResult } from 'jose';
import { JOSEError, JWTExpired } from 'jose/errors';
import { z } from 'zod';
import { SuturaError } from '../../core/errors/sutura-error.js';
import type { ClientRepository } from '../../core/organizations/client.repository.js';
import type { Clock } from '../../core/ports/clock.js';
import type { IdSource } from '../../core/ports/id-source.js';
import type { Caller } from '../../core/tenancy/api-key.js';
import type { ClientRecord } from '../../core/tenancy/client-record.js';
import { nativeScopesOf } from '../../core/tenancy/native-scopes.js';
import { readSystemScope, textOf, type SystemScope } from '../../core/tenancy/system-scopes.js';
import { ENVIRONMENTS } from '../../core/tenancy/tenant.js';
import { KEYS_CHANGED_CHANNEL } from '../../platform/database/notification-listener.js';
import type { ServiceSecrets } from '../../platform/database/service-secrets.js';
import { requireAllowedNetwork } from './allowed-networks.js';
import { KeyCache } from './key-cache.js';

/** Longest life that SMART Backend Services recommends. */
export const TOKEN_LIFE_S = 300;
const SECRET_NAME = 'access-token';
const ALGORITHM = 'HS256';
const TYPE = 'at+jwt';
const ISSUER = 'sutura';
/** Between the clocks of two instances. */
const CLOCK_TOLERANCE_S = 5;

const CLAIMS = z.object({
  sub: z.uuid(),
  org: z.uuid(),
  env: z.enum(ENVIRONMENTS),
  scope: z.string(),
  /** The person behind the token, as its client named them. */
  fhirUser: z.string().optional(),
});

interface ChangeFeed {
  on(channel: string, handler: (payload: string) => void): () => void;
}

/**
 * Tokens of clients: JSON Web Tokens for this service alone, signed with a secret that all its instances share, so that none is stored and each
 * instance can read them. A client that was revoked loses its tokens at once by notification, and within 4 s without it.
 */
export class AccessTokens {
  private readonly cache: KeyCache<ClientRecord>;
  private readonly stopListening: () => void;

  constructor(
    private readonly secrets: Pick<ServiceSecrets, 'current' | 'find'>,
    private readonly clients: Pick<ClientRepository, 'findAtOnce'>,
    private readonly clock: Clock,
    private readonly ids: IdSource,
    changes: ChangeFeed,
  ) {
    this.cache = new KeyCache(() => this.clock.now().getTime());
    this.stopListening = changes.on(KEYS_CHANGED_CHANNEL, () => this.cache.clear());
  }

  /** A token of TOKEN_LIFE_S seconds; `person`: whom it is of. */
  async issue(client: ClientRecord, grants: readonly SystemScope[], person: string | null): Promise<string> {
    const { version, secret } = await this.secrets.current(SECRET_NAME);
    const nowS = Math.floor(this.clock.now().getTime() / 1000);
    const claims = { org: client.organizationId, env: client.environment, scope: grants.map(textOf).join(' ') };
    const ofPerson = person === null ? {} : { fhirUser: person };
    return new SignJWT({ ...claims, ...ofPerson })
      .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: String(version) })
      .setIssuer(ISSUER)
      .setSubject(client.id)
      .setJti(this.ids.next())
      .setIssuedAt(nowS)
      .setExpirationTime(nowS + TOKEN_LIFE_S)
      .sign(secret);
  }

  /** `known` is called with the client once the signature is right. `auth.invalid`, `auth.expired`, `auth.revoked`, `auth.network`, `auth.person`. */
  async authenticate(
    text: string,
    address: string,
    known: (client: Pick<Caller, 'keyId' | 'organizationId' | 'environment'>) => void,
  ): Promise<Caller> {
    const { sub: keyId, org: organizationId, env: environment, scope, fhirUser } = await this.read(text);
    known({ keyId, organizationId, environment });
    const client = await this.cache.get(keyId, () => this.clients.findAtOnce(keyId));
    if (client === null || client.revokedAt !== null)
      throw new SuturaError('auth.revoked', { detail: 'The client of this token was revoked. Register a new one.' });
    requireAllowedNetwork(client.allowedNetworks, address);
    const grants = scope.split(' ').flatMap((part) => readSystemScope(part) ?? []);
    if (fhirUser !== undefined && !client.namesPersons) throw new SuturaError('auth.person');
    return {
      keyId,
      organizationId,
      environment,
      scopes: nativeScopesOf(grants),
      grants,
      ...(client.namesPersons ? { namesPersons: true } : {}),
      ...(fhirUser === undefined ? {} : { person: fhirUser }),
    };
  }

  close(): void {
    this.stopListening();
  }

  private async read(text: string): Promise<z.output<typeof CLAIMS>> {
    const { payload } = await this.verified(text).catch((fault: unknown) => {
      if (fault instanceof JWTExpired)
        throw new SuturaError('auth.expired', {
          detail: 'The token has expired. Ask for a new one at /auth/token with a new assertion.',
        });
      if (fault instanceof JOSEError) throw notOurs();
      throw fault;
    });
    const claims = CLAIMS.safeParse(payload);
    if (!claims.success) throw notOurs();
    return claims.data;
  }

  private verified(text: string): Promise<JWTVerifyResult<JWTPayload>> {
    return jwtVerify(
      text,
      async ({ kid }) => {
        const known = await this.secrets.find(SECRET_NAME, Number(kid));
        if (known === null) throw notOurs();
        return known.secret;
      },
      {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer: ISSUER,
        requiredClaims: ['exp', 'sub'],
        currentDate: this.clock.now(),
        clockTolerance: CLOCK_TOLERANCE_S,
      },
    );
  }
}

function notOurs(): SuturaError {
  return new SuturaError('auth.invalid', {
    detail: 'The token is mistyped, or of another service. Ask for a new one at /auth/token.',
  });
}
