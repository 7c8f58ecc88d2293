import { z } from 'zod';
import { isOfEhr, originOf } from '../core/ehrs/ehr-addresses.js';
import type { Ehr } from '../core/ehrs/ehr.js';
import { PUBLISHED_ALGORITHMS } from '../core/ehrs/published-key.store.js';
import { isSuturaError } from '../core/errors/sutura-error.js';
import type { EhrAnswer } from './ehr-caller.js';
import { jsonOf, readSmartConfiguration, type SmartConfiguration } from './smart-configuration.js';

const ADDRESSES = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;
const STATED = z.looseObject({
  authorization_endpoint: z.string().optional(),
  token_endpoint: z.string().optional(),
  jwks_uri: z.string().optional(),
  token_endpoint_auth_signing_alg_values_supported: z.array(z.string()).optional(),
});
type Stated = z.output<typeof STATED>;

/** What of a smart-configuration would stop a launch or a push, in sentences. */
export interface SmartTrial {
  readonly faults: readonly string[];
  /** As a launch reads it; null: it could not, or there is no launch. */
  readonly configuration: SmartConfiguration | null;
}

/** Reads it as launches do and pushes with `backend-services`, so that nothing is called well that either of them refuses. */
export function trySmartConfiguration(ehr: Ehr, answer: EhrAnswer): SmartTrial {
  const stated = STATED.safeParse(jsonOf(answer.body)).data ?? {};
  const isPush = ehr.push?.auth === 'backend-services';
  const needed = ADDRESSES.filter((name) => ehr.launch !== null || name === 'token_endpoint');
  const foreign = needed.flatMap((name) => foreignTo(ehr, stated[name], name));
  const launch = ehr.launch === null ? { faults: [], configuration: null } : readAsLaunch(ehr, answer, stated);
  return {
    faults: [
      ...launch.faults,
      ...foreign,
      ...(isPush && ehr.launch === null && stated.token_endpoint === undefined ? ['It names no token_endpoint.'] : []),
      ...(isSignedFor(ehr) ? algorithmFaults(stated) : []),
    ],
    configuration: foreign.length === 0 ? launch.configuration : null,
  };
}

/** True where this service signs who it is, so that the EHR has to have its keys. */
export function isSignedFor({ push, launch }: Pick<Ehr, 'push' | 'launch'>): boolean {
  return push?.auth === 'backend-services' || launch?.clientType === 'asymmetric';
}

/** Origins aside, which are said with their names. */
function readAsLaunch(ehr: Ehr, answer: EhrAnswer, stated: Stated): SmartTrial {
  const origins = ADDRESSES.flatMap((name) => originOf(stated[name] ?? '') ?? []);
  try {
    const registered = { ...ehr, origins: [...ehr.origins, ...origins] };
    return { faults: [], configuration: readSmartConfiguration(registered, answer) };
  } catch (fault) {
    if (isSuturaError(fault, 'launch.answer')) return { faults: [fault.detail], configuration: null };
    throw fault;
  }
}

function foreignTo(ehr: Ehr, address: string | undefined, name: string): readonly string[] {
  if (address === undefined || isOfEhr(ehr, address)) return [];
  const origin = originOf(address) ?? 'no address';
  return [`Its ${name} is of another origin (${origin}): if that is the EHR's own, add it to origins.`];
}

function algorithmFaults({ token_endpoint_auth_signing_alg_values_supported: algorithms }: Stated): readonly string[] {
  if (algorithms === undefined || PUBLISHED_ALGORITHMS.some((one) => algorithms.includes(one))) return [];
  return ['It takes assertions signed by neither ES384 nor RS384, and we sign by no other.'];
}
