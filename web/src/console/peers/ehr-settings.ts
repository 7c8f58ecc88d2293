import type { Ehr } from '../shared/answers.js';
import { changedSettings } from '../shared/changed-settings.js';

type Settings = Readonly<Record<string, unknown>>;

/** What is stated of an EHR, without what the gateway says of it: secrets are known by that they are there, and are not stated anew. */
export function statedOfEhr({ name, fhirBaseUrl, origins, patientSystem, launch, push, cds, frameAncestors }: Ehr) {
  return {
    name,
    fhirBaseUrl,
    origins,
    patientSystem,
    launch: launch === null ? null : without(launch, 'hasClientSecret'),
    push: push === null ? null : without(push, 'hasToken'),
    cds,
    frameAncestors,
  };
}

function without<T extends object, Name extends keyof T>(part: T, name: Name): Omit<T, Name> {
  const { [name]: _, ...rest } = part;
  return rest;
}

const PARTS: readonly string[] = ['launch', 'push', 'cds'];
const isPart = (value: unknown): value is Settings => typeof value === 'object' && value !== null;

/** What changed, within the parts too: an integrator may change some fields of a part, and states no others. */
export function changedEhr(before: Settings, after: Settings): Settings {
  return Object.fromEntries(
    Object.entries(changedSettings(before, after)).map(([name, value]) => {
      const [old, next] = [before[name], value];
      return [name, PARTS.includes(name) && isPart(old) && isPart(next) ? changedSettings(old, next) : next];
    }),
  );
}

/** What an EHR is set up for, in words. */
export function usesInWords({ launch, push, cds }: Pick<Ehr, 'launch' | 'push' | 'cds'>): string {
  const uses = [
    ...(launch === null ? [] : [`opens the desk (people may ${launch.people})`]),
    ...(push?.enabled === true ? [`takes results (${push.dialect}, ${push.when})`] : []),
    ...(cds?.enabled === true ? ['asks for cards'] : []),
  ];
  return uses.length === 0 ? 'nothing yet' : uses.join(', ');
}

const backend = { enabled: true, auth: 'backend-services', clientId: 'client id of the filing' } as const;
const launch = { clientId: 'client id of the launch', people: 'read' } as const;

/** What each kind of EHR is registered with at first, as its page in the docs says; addresses and ids are to be filled in. */
export const EHR_KINDS = [
  {
    label: 'Epic',
    settings: {
      fhirBaseUrl: 'https://epic.hospital.example/api/FHIR/R4',
      patientSystem: 'urn:oid:2.999.1',
      launch,
      push: { ...backend, dialect: 'epic', send: ['pdf'], encounterRule: 'period' },
    },
  },
  {
    label: 'Oracle Health',
    settings: {
      fhirBaseUrl: 'https://fhir.millennium.example/r4/TENANT',
      origins: ['https://authorization.millennium.example'],
      patientSystem: 'urn:oid:2.999.1',
      launch,
      push: { ...backend, dialect: 'oracle', send: ['pdf', 'observations'], when: 'reviewed', encounterRule: 'period' },
    },
  },
  {
    label: 'KIS with ISiK',
    settings: {
      fhirBaseUrl: 'https://kis.hospital.example/fhir',
      patientSystem: 'urn:oid:2.999.1',
      push: { enabled: true, dialect: 'isik', auth: 'bearer', token: 'token', send: ['pdf'], encounterRule: 'period' },
    },
  },
  {
    label: 'HAPI or Medplum',
    settings: {
      fhirBaseUrl: 'https://fhir.hospital.example/fhir',
      patientSystem: 'urn:oid:2.999.1',
      push: {
        ...backend,
        dialect: 'transaction',
        send: ['pdf', 'observations', 'diagnostic-report'],
        encounterRule: 'none',
      },
    },
  },
] as const;
