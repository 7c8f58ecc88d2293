import { z } from 'zod';
import { isOfEhr } from '../core/ehrs/ehr-addresses.js';
import type { Ehr } from '../core/ehrs/ehr.js';
import { SuturaError } from '../core/errors/sutura-error.js';
import type { EhrAnswer, EhrCaller } from './ehr-caller.js';

const LIMIT_BYTES = 256 * 1024;
const TIMEOUT_MS = 10_000;

const TEXTS = z.array(z.string().max(512)).max(500);
const DOCUMENT = z.looseObject({
  issuer: z.string().min(1).max(2048),
  jwks_uri: z.string().max(2048),
  authorization_endpoint: z.string().max(2048),
  token_endpoint: z.string().max(2048),
  capabilities: TEXTS,
  code_challenge_methods_supported: TEXTS,
  token_endpoint_auth_signing_alg_values_supported: TEXTS.optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
});

/** What an EHR publishes of its authorization server (SMART App Launch 2.2, `.well-known/smart-configuration`), as far as a launch needs it. */
export interface SmartConfiguration {
  /** `iss` of its id_tokens. It is compared, and never called. */
  readonly issuer: string;
  readonly jwksUri: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly capabilities: readonly string[];
  /** By what assertions of clients may be signed; undefined: it does not say. */
  readonly assertionAlgorithms: readonly string[] | undefined;
  /** It says with each code who gave it (RFC 9207): a code without that is none of its. */
  readonly statesIssuer: boolean;
}

/**
 * `launch.answer` for a server without S256, which would let a stolen code be redeemed; for one that does not say who issues its id_tokens; and for one that sends the
 * browser, the code or the look for keys to an origin that the registration does not name.
 */
export function readSmartConfiguration(
  ehr: Pick<Ehr, 'fhirBaseUrl' | 'origins'>,
  answer: EhrAnswer,
): SmartConfiguration {
  if (answer.status !== 200) throw badAnswer(`The smart-configuration of the EHR is answered with ${answer.status}.`);
  const read = DOCUMENT.safeParse(jsonOf(answer.body));
  if (!read.success) {
    const fields = [...new Set(read.error.issues.map(({ path }) => String(path[0] ?? 'object')))];
    throw badAnswer(`The smart-configuration of the EHR lacks, or has no usable ${fields.join(', ')}.`);
  }
  const { issuer, capabilities, code_challenge_methods_supported: methods, ...addresses } = read.data;
  const {
    token_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    authorization_response_iss_parameter_supported: statesIssuer = false,
  } = read.data;
  if (!methods.includes('S256'))
    throw badAnswer('The authorization server of the EHR does not offer S256 (PKCE), which a launch needs.');
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const)
    if (!isOfEhr(ehr, addresses[name]))
      throw badAnswer(
        `${name} of the EHR is of an origin that its registration does not name. If it is right, add it with "ehr set".`,
      );
  return {
    issuer,
    jwksUri: addresses.jwks_uri,
    authorizationEndpoint: addresses.authorization_endpoint,
    tokenEndpoint: addresses.token_endpoint,
    capabilities,
    assertionAlgorithms,
    statesIssuer,
  };
}

/** As everybody asks for it who works with it. NoEhrAnswerError. */
export function askSmartConfiguration(
  caller: Pick<EhrCaller, 'ask'>,
  ehr: Pick<Ehr, 'fhirBaseUrl' | 'origins'>,
): Promise<EhrAnswer> {
  return caller.ask(ehr, {
    method: 'GET',
    url: `${ehr.fhirBaseUrl}/.well-known/smart-configuration`,
    headers: { accept: 'application/json' },
    timeoutMs: TIMEOUT_MS,
    limitBytes: LIMIT_BYTES,
  });
}

/** `launch.answer`: the EHR answered, and its answer is not to be relied on. `detail`: what of it, without any value of it. */
export function badAnswer(detail: string): SuturaError {
  return new SuturaError('launch.answer', { detail });
}

/** undefined: not JSON in UTF-8. */
export function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}
