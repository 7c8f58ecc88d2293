import { randomInt } from 'node:crypto';
import { ApiClient, expectStatus, type Answer } from './api-client.js';
import { eventually } from './eventually.js';
import { startFakeEhr, type FakeEhr, type FakeEhrOptions, type LaunchContext } from './fake-ehr/index.js';
import type { SharedGateway } from './gateway.js';
import { drawSmallWoundPhoto } from './wound-photo.js';

export const PATIENT_SYSTEM = 'urn:oid:2.999.54.3';
export const CLIENT_ID = 'sutura';
export const CLIENT_SECRET = 'secretOfTheTest';
export const SCOPES = [
  'launch',
  'openid',
  'fhirUser',
  'patient/Patient.r',
  'patient/Encounter.rs',
  'patient/Patient.read',
  'patient/Encounter.read',
];

/** A patient who is known on both sides. */
export interface KnownPatient {
  readonly number: string;
  /** At the EHR. */
  readonly ehrId: string;
  /** Here, in the order of their wounds. */
  readonly reportIds: readonly string[];
}

/** What stands behind the origin of an address. */
export const pathOfUrl = (url: string): string => url.replace(/^https?:\/\/[^/]+/, '');

type ClientType = 'public' | 'symmetric' | 'asymmetric';

/** What an EHR is told of this service. */
interface OwnAddresses {
  readonly launch: string;
  readonly redirect: string;
  readonly keys: string;
}

/** An organization whose EHR launches the desk. */
export class LaunchGround {
  private registered: OwnAddresses | null = null;

  private constructor(
    readonly gateway: SharedGateway,
    readonly organizationId: string,
    readonly client: ApiClient,
    readonly ehr: FakeEhr,
    readonly practitionerId: string,
    private readonly photo: Buffer,
  ) {}

  static async start(gateway: SharedGateway, options: FakeEhrOptions = {}): Promise<LaunchGround> {
    const organizationId = await gateway.createOrganization('enterprise');
    const { key } = await gateway.createKey(organizationId);
    const ehr = await startFakeEhr(options);
    const practitionerId = ehr.control.addPractitioner({
      identifiers: [{ system: 'urn:oid:2.999.54.4', value: 'HCP-1' }],
      family: 'Winter',
      given: 'Ada',
    });
    const photo = await drawSmallWoundPhoto();
    const client = new ApiClient(gateway.baseUrl, key);
    return new LaunchGround(gateway, organizationId, client, ehr, practitionerId, photo);
  }

  get launchUrl(): string {
    return `${this.gateway.baseUrl}/launch`;
  }

  /** Of the registration that was made last. */
  get addresses(): OwnAddresses {
    if (this.registered === null) throw new Error('Nothing is registered yet.');
    return this.registered;
  }

  /** On both sides. Returns the id of the registration. */
  async register(clientType: ClientType = 'symmetric', terms: object = {}, launch: object = {}): Promise<string> {
    const made = await this.gateway.admin('POST', `/organizations/${this.organizationId}/ehrs`, {
      environment: 'test',
      name: 'Fake EHR',
      fhirBaseUrl: this.ehr.fhirBaseUrl,
      origins: [...new Set([this.ehr.authorizationOrigin])].filter((origin) => origin !== this.ehr.origin),
      patientSystem: PATIENT_SYSTEM,
      launch: {
        clientId: CLIENT_ID,
        clientType,
        ...(clientType === 'symmetric' ? { clientSecret: CLIENT_SECRET } : {}),
        people: 'review',
        ...launch,
      },
      ...terms,
    });
    const { id, addresses } = expectStatus(201, made).body as { id: string; addresses: OwnAddresses };
    this.registered = addresses;
    this.registerClient(clientType);
    return id;
  }

  registerClient(type: ClientType, redirectUris = [this.addresses.redirect], scopes: readonly string[] = SCOPES): void {
    this.ehr.control.registerClient({
      clientId: CLIENT_ID,
      type,
      redirectUris,
      scopes,
      ...(type === 'symmetric' ? { secret: CLIENT_SECRET } : {}),
      ...(type === 'asymmetric' ? { jwksUrl: this.addresses.keys } : {}),
    });
  }

  change(ehrId: string, terms: object): Promise<Answer> {
    return this.gateway.admin('PATCH', `/organizations/${this.organizationId}/ehrs/${ehrId}`, terms);
  }

  /** Of as many wounds, each with one report. */
  async know(wounds: readonly string[], system: string | null = PATIENT_SYSTEM): Promise<KnownPatient> {
    const number = `N${randomInt(1e9)}`;
    const ehrId = this.ehr.control.addPatient({ identifiers: [{ system: PATIENT_SYSTEM, value: number }] });
    const reportIds: string[] = [];
    for (const woundId of wounds) reportIds.push(await this.report(number, woundId, reportIds.length + 1, system));
    return { number, ehrId, reportIds };
  }

  async report(
    patientId: string,
    woundId: string,
    day: number,
    system: string | null = PATIENT_SYSTEM,
  ): Promise<string> {
    const job = await this.client.analyse(this.photo, {
      subject: { patientId, woundId, ...(system === null ? {} : { patientSystem: system }) },
      capturedAt: new Date(Date.UTC(2026, 0, day, 9)).toISOString(),
      calibration: { mmPerPixel: 0.2 },
    });
    return expectStatus(200, await this.client.request('GET', job.links.report)).body.id as string;
  }

  /** A patient who is announced here and has no report. FHIR may still be preparing itself. */
  async announce(value: string, birthDate?: string): Promise<void> {
    const identifier = [{ system: PATIENT_SYSTEM, value }];
    const patient = { resourceType: 'Patient', identifier, ...(birthDate === undefined ? {} : { birthDate }) };
    const headers = { 'content-type': 'application/fhir+json' };
    await eventually('the patient is taken', async () => {
      const { status } = await this.client.request('POST', '/fhir/Patient', { json: patient, headers });
      return status === 201;
    });
  }

  /** The address that the EHR's frame opens. */
  launch(patientId: string, context: Partial<LaunchContext> = {}): string {
    const user = `Practitioner/${this.practitionerId}`;
    return this.ehr.control.launch(this.launchUrl, { patientId, user, userName: 'Ada Winter', ...context });
  }
}
