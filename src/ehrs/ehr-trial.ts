import { z } from 'zod';
import type { Ehr, EhrPush } from '../core/ehrs/ehr.js';
import { isOfEhr } from '../core/ehrs/ehr-addresses.js';
import { NoEhrAnswerError, type EhrCaller } from './ehr-caller.js';
import { createdTypes, readCapabilities, type EhrCapabilities } from './ehr-capabilities.js';
import type { EhrKeySets } from './ehr-key-sets.js';

/** What is asked of an EHR at its set-up. */
export const EHR_FINDINGS = ['metadata', 'smart-configuration', 'push', 'cds'] as const;

/** One thing that was found, in plain words. */
export interface EhrFinding {
  readonly about: (typeof EHR_FINDINGS)[number];
  readonly isWell: boolean;
  readonly says: string;
}

export interface EhrTrialResult {
  readonly findings: readonly EhrFinding[];
  /** null: not read. */
  readonly fhirVersion: string | null;
  readonly creates: readonly string[];
}

/** What the dialects of a push need of a FHIR server. The push exit binds its own in the place of this one, which needs nothing. */
export class PushNeeds {
  /** A sentence for each thing that this server cannot take, before the first patient. */
  lacking(_push: EhrPush, _capabilities: EhrCapabilities): readonly string[] {
    return [];
  }
}

const CONFIGURATION = z.looseObject({
  authorization_endpoint: z.string().optional(),
  token_endpoint: z.string().optional(),
  code_challenge_methods_supported: z.array(z.string()).optional(),
});
type SmartConfiguration = z.output<typeof CONFIGURATION>;

/** Asks an EHR what it is and says what will not work. Asks nothing of a patient and sends nothing. */
export class EhrTrial {
  constructor(
    private readonly caller: Pick<EhrCaller, 'ask'>,
    private readonly keys: Pick<EhrKeySets, 'count'>,
    private readonly needs: PushNeeds,
  ) {}

  async run(ehr: Ehr): Promise<EhrTrialResult> {
    const [metadata, smart, cds] = await Promise.all([
      this.read(ehr, '/metadata', 'application/fhir+json'),
      this.read(ehr, '/.well-known/smart-configuration', 'application/json'),
      ehr.cds === null ? [] : this.cdsFindings(ehr, ehr.cds.jwksUrl),
    ]);
    const capabilities = typeof metadata === 'string' ? null : readCapabilities(metadata.body);
    const configuration = typeof smart === 'string' ? undefined : CONFIGURATION.safeParse(smart.body).data;
    return {
      findings: [
        ...metadataFindings(metadata, capabilities),
        ...smartFindings(ehr, smart, configuration),
        ...(ehr.push === null || capabilities === null ? [] : this.pushFindings(ehr.push, capabilities)),
        ...cds,
      ],
      fhirVersion: capabilities?.fhirVersion ?? null,
      creates: capabilities === null ? [] : createdTypes(capabilities),
    };
  }

  private pushFindings(push: EhrPush, capabilities: EhrCapabilities): readonly EhrFinding[] {
    const lacking = this.needs.lacking(push, capabilities);
    return lacking.length > 0
      ? lacking.map((says) => ({ about: 'push', isWell: false, says }))
      : [{ about: 'push', isWell: true, says: `It creates ${listed(createdTypes(capabilities))}.` }];
  }

  private async cdsFindings(ehr: Ehr, jwksUrl: string): Promise<readonly EhrFinding[]> {
    try {
      const count = await this.keys.count(ehr, jwksUrl);
      const says = `Its key set has ${count === 0 ? 'no' : count} RSA or EC ${count === 1 ? 'key' : 'keys'} with a kid.`;
      return [{ about: 'cds', isWell: count > 0, says }];
    } catch (fault) {
      return [{ about: 'cds', isWell: false, says: `Its key set cannot be read: ${wordsOf(fault)}` }];
    }
  }

  /** The JSON that is there, or why there is none. */
  private async read(ehr: Ehr, path: string, accept: string): Promise<{ readonly body: unknown } | string> {
    try {
      const { status, body } = await this.caller.ask(ehr, {
        method: 'GET',
        url: `${ehr.fhirBaseUrl}${path}`,
        headers: { accept },
      });
      if (status >= 300 && status < 400)
        return `it answers ${status}, and redirects are not followed: register the address that it leads to.`;
      if (status !== 200) return `it answers ${status}.`;
      return { body: JSON.parse(body.toString('utf8')) as unknown };
    } catch (fault) {
      return wordsOf(fault);
    }
  }
}

function metadataFindings(
  metadata: { readonly body: unknown } | string,
  capabilities: EhrCapabilities | null,
): readonly EhrFinding[] {
  if (typeof metadata === 'string')
    return [{ about: 'metadata', isWell: false, says: `The FHIR server (/metadata) is not reached: ${metadata}` }];
  if (capabilities === null)
    return [
      {
        about: 'metadata',
        isWell: false,
        says: 'What /metadata answers is no CapabilityStatement: fhirBaseUrl may be another address.',
      },
    ];
  const { fhirVersion, software } = capabilities;
  const isR4 = /^4\.0\./.test(fhirVersion);
  const named = `FHIR ${fhirVersion}${software === null ? '' : `, ${software}`}`;
  const says = isR4
    ? `The FHIR server answers: ${named}.`
    : `The FHIR server answers ${named}, and R4 (4.0) is needed.`;
  return [{ about: 'metadata', isWell: isR4, says }];
}

/** Where it is needed: of a launch and of tokens for a push. */
function smartFindings(
  ehr: Ehr,
  smart: { readonly body: unknown } | string,
  configuration: SmartConfiguration | undefined,
): readonly EhrFinding[] {
  const about = 'smart-configuration';
  const isLaunched = ehr.launch !== null;
  if (!isLaunched && ehr.push?.auth !== 'backend-services') return [];
  if (typeof smart === 'string')
    return [
      { about, isWell: false, says: `Where it authorizes (/.well-known/smart-configuration) is not known: ${smart}` },
    ];
  if (configuration === undefined)
    return [{ about, isWell: false, says: 'What /.well-known/smart-configuration answers is not one.' }];
  const { authorization_endpoint: authorize, token_endpoint: token } = configuration;
  const challenges = configuration.code_challenge_methods_supported;
  const faults = [
    ...(token === undefined ? ['It names no token_endpoint.'] : foreign(ehr, token, 'token_endpoint')),
    ...(!isLaunched
      ? []
      : authorize === undefined
        ? ['It names no authorization_endpoint.']
        : foreign(ehr, authorize, 'authorization_endpoint')),
    ...(isLaunched && challenges?.includes('S256') !== true ? ['It does not say that it takes PKCE by S256.'] : []),
  ];
  return faults.length > 0
    ? faults.map((says) => ({ about, isWell: false, says }))
    : [{ about, isWell: true, says: 'It says where to authorize and where tokens come from.' }];
}

function foreign(ehr: Ehr, address: string, name: string): readonly string[] {
  if (isOfEhr(ehr, address)) return [];
  const origin = URL.canParse(address) ? new URL(address).origin : 'no address';
  return [`Its ${name} is of another origin (${origin}): if that is the EHR's own, add it to origins.`];
}

function listed(types: readonly string[]): string {
  return types.length === 0 ? 'nothing that it states' : types.join(', ');
}

/** In words of its own: what another machine said is not repeated. */
function wordsOf(fault: unknown): string {
  if (!(fault instanceof NoEhrAnswerError)) return 'it is not written as such.';
  const [kind = '', code = ''] = fault.fault.split(' ');
  const words = NO_ANSWER[kind] ?? 'there was no answer.';
  return code === '' ? words : `${words.slice(0, -1)} (${code}).`;
}

const NO_ANSWER: Readonly<Record<string, string>> = {
  address_refused:
    'its address is not public and in no network of SUTURA_EHR_NETWORKS, or of an origin that is not registered.',
  no_address: 'its name has no address.',
  unreachable: 'no connection comes about.',
  lost: 'the connection broke off.',
  timeout: 'it took longer than it may.',
  too_large: 'the answer is too large.',
};
