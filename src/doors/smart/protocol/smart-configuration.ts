import { z } from 'zod';
import { isOfEhr } from '../../../core/ehrs/ehr-addresses.js';
import type { Ehr } from '../../../core/ehrs/ehr.js';
import type { EhrAnswer } from '../../../ehrs/index.js';
import { badAnswer } from './launch-fault.js';

const TEXTS = z.array(z.string().max(512)).max(500);
const DOCUMENT = z.looseObject({
  issuer: z.string().min(1).max(2048),
  jwks_uri: z.string().max(2048),
  authorization_endpoint: z.string().max(2048),
  token_endpoint: z.string().max(2048),
  capabilities: TEXTS,
  code_challenge_methods_supported: TEXTS,
  token_endpoint_auth_signing_alg_values_supported: TEXTS.optional(),
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
  const { token_endpoint_auth_signing_alg_values_supported: assertionAlgorithms } = read.data;
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
  };
}

/** undefined: not JSON in UTF-8. */
export function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}
