import type { Ehr, EhrPush } from '../core/ehrs/ehr.js';
import { NoEhrAnswerError, type EhrAnswer, type EhrCaller } from './ehr-caller.js';
import { createdTypes, readCapabilities, type EhrCapabilities } from './ehr-capabilities.js';
import type { EhrKeySets } from './ehr-key-sets.js';
import type { PublishedKeys } from './published-keys.js';
import { askSmartConfiguration } from './smart-configuration.js';
import { isSignedFor, trySmartConfiguration } from './smart-trial.js';

/** What is asked of an EHR at its set-up. */
export const EHR_FINDINGS = ['metadata', 'smart-configuration', 'push', 'cds'] as const;

/** One thing that was found, in plain words. */
export interface EhrFinding {
  readonly about: (typeof EHR_FINDINGS)[number];
  /** False also where it was not tried. */
  readonly isWell: boolean;
  /** False: it cannot be tried from here, and is left to whoever reads what it says. */
  readonly isTried: boolean;
  readonly says: string;
}

type Tried = Omit<EhrFinding, 'isTried'>;

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

/** Asks an EHR what it is and says what will not work. Asks nothing of a patient and sends nothing. */
export class EhrTrial {
  constructor(
    private readonly caller: Pick<EhrCaller, 'ask'>,
    private readonly keys: Pick<EhrKeySets, 'count'>,
    private readonly needs: PushNeeds,
    private readonly ownKeys: Pick<PublishedKeys, 'isOnly'>,
  ) {}

  async run(ehr: Ehr): Promise<EhrTrialResult> {
    const [metadata, smart, untried, cds] = await Promise.all([
      this.readMetadata(ehr),
      this.smartFindings(ehr),
      this.ownKeyFindings(ehr),
      ehr.cds === null ? [] : this.keyFindings(ehr, ehr.cds.jwksUrl, 'cds', 'Its key set'),
    ]);
    const capabilities = typeof metadata === 'string' ? null : readCapabilities(metadata.body);
    const tried = [
      ...metadataFindings(metadata, capabilities),
      ...smart,
      ...(ehr.push === null || capabilities === null ? [] : this.pushFindings(ehr.push, capabilities)),
      ...cds,
    ];
    return {
      findings: [...tried.map((one) => ({ ...one, isTried: true })), ...untried],
      fhirVersion: capabilities?.fhirVersion ?? null,
      creates: capabilities === null ? [] : createdTypes(capabilities),
    };
  }

  private pushFindings(push: EhrPush, capabilities: EhrCapabilities): readonly Tried[] {
    const lacking = this.needs.lacking(push, capabilities);
    return lacking.length > 0
      ? lacking.map((says) => ({ about: 'push', isWell: false, says }))
      : [{ about: 'push', isWell: true, says: DECLARED }];
  }

  /** Where it is needed: of a launch, and of tokens for a push. */
  private async smartFindings(ehr: Ehr): Promise<readonly Tried[]> {
    const about = 'smart-configuration';
    if (ehr.launch === null && ehr.push?.auth !== 'backend-services') return [];
    const answer = await answered(() => askSmartConfiguration(this.caller, ehr));
    if (typeof answer === 'string')
      return [
        {
          about,
          isWell: false,
          says: `Where it authorizes (/.well-known/smart-configuration) is not known: ${answer}`,
        },
      ];
    const { faults, configuration } = trySmartConfiguration(ehr, answer);
    if (faults.length > 0) return faults.map((says) => ({ about, isWell: false, says }));
    return [
      { about, isWell: true, says: 'It says where to authorize and where tokens come from.' },
      ...(configuration === null
        ? []
        : await this.keyFindings(ehr, configuration.jwksUri, about, 'The key set of its id_tokens')),
    ];
  }

  /** The EHR does not tell which address was entered there: where the short one has nothing, it is said before the first launch fails by it. */
  private async ownKeyFindings(ehr: Ehr): Promise<readonly EhrFinding[]> {
    if (!isSignedFor(ehr) || (await this.ownKeys.isOnly(ehr.organizationId))) return [];
    return [{ about: 'smart-configuration', isWell: false, isTried: false, says: OWN_KEYS }];
  }

  private async keyFindings(
    ehr: Ehr,
    jwksUrl: string,
    about: EhrFinding['about'],
    what: string,
  ): Promise<readonly Tried[]> {
    try {
      const count = await this.keys.count(ehr, jwksUrl);
      const says = `${what} has ${count === 0 ? 'no' : count} RSA or EC ${count === 1 ? 'key' : 'keys'} with a kid.`;
      return [{ about, isWell: count > 0, says }];
    } catch (fault) {
      return [{ about, isWell: false, says: `${what} cannot be read: ${wordsOf(fault)}` }];
    }
  }

  /** The JSON that is there, or why there is none. */
  private async readMetadata(ehr: Ehr): Promise<{ readonly body: unknown } | string> {
    const answer = await answered(() =>
      this.caller.ask(ehr, {
        method: 'GET',
        url: `${ehr.fhirBaseUrl}/metadata`,
        headers: { accept: 'application/fhir+json' },
      }),
    );
    if (typeof answer === 'string') return answer;
    try {
      return { body: JSON.parse(answer.body.toString('utf8')) as unknown };
    } catch (fault) {
      return wordsOf(fault);
    }
  }
}

/** An answer with 200, or why there is none. */
async function answered(asking: () => Promise<EhrAnswer>): Promise<EhrAnswer | string> {
  try {
    const answer = await asking();
    if (answer.status >= 300 && answer.status < 400)
      return `it answers ${answer.status}, and redirects are not followed: register the address that it leads to.`;
    return answer.status === 200 ? answer : `it answers ${answer.status}.`;
  } catch (fault) {
    return wordsOf(fault);
  }
}

function metadataFindings(
  metadata: { readonly body: unknown } | string,
  capabilities: EhrCapabilities | null,
): readonly Tried[] {
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

/** In words of its own: what another machine said is not repeated. */
function wordsOf(fault: unknown): string {
  if (!(fault instanceof NoEhrAnswerError)) return 'it is not written as such.';
  const [kind = '', code = ''] = fault.fault.split(' ');
  const words = NO_ANSWER[kind] ?? 'there was no answer.';
  return code === '' ? words : `${words.slice(0, -1)} (${code}).`;
}

/** No more than that: no token was asked for, and no patient. */
const DECLARED =
  'It declares all that is going to be filed. Whether a token is given and a patient is found, only a filed result shows.';

const OWN_KEYS =
  'Whether the EHR has our JWKS URL as "ehr list" prints it, with the organization, is known there alone. /.well-known/jwks.json has no keys here, because there are several organizations: do not register it.';

const NO_ANSWER: Readonly<Record<string, string>> = {
  address_refused:
    'its address is not public and in no network of SUTURA_EHR_NETWORKS, or of an origin that is not registered.',
  no_address: 'its name has no address.',
  unreachable: 'no connection comes about.',
  lost: 'the connection broke off.',
  timeout: 'it took longer than it may.',
  too_large: 'the answer is too large.',
};
