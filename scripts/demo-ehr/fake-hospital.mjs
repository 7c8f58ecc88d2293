import { DemoFailure } from '../demo-gateway.mjs';
import { loadFakeEhr } from '../fake-ehr/load-fake-ehr.mjs';
import { LaunchedDesk } from './launched-desk.mjs';

export const DIALECTS = ['transaction', 'us-core-note', 'epic', 'oracle', 'isik'];
const SYSTEMS = { patient: 'urn:oid:2.999.1', visit: 'urn:oid:2.999.4', staff: 'urn:oid:2.999.5' };
const [CLIENT_ID, FILING_CLIENT_ID] = ['sutura', 'sutura-backend'];
const WEEKS_MS = 21 * 86_400_000;
/** A flowsheet row that the site has built and mapped. */
const AREA_ROW = { system: 'urn:oid:2.999.6', code: 'WOUND-AREA', unit: 'cm2' };

/** What is filed, by dialect: all that its strict EHR takes. */
const PUSHES = {
  transaction: { send: ['pdf', 'observations', 'diagnostic-report'], encounterRule: 'period' },
  'us-core-note': { send: ['pdf'], encounterRule: 'period' },
  epic: { send: ['pdf', 'observations'], encounterRule: 'period', codes: { area: AREA_ROW } },
  oracle: { send: ['pdf', 'observations'], encounterRule: 'period', when: 'reviewed' },
  isik: { send: ['pdf'], encounterRule: 'period' },
};

/** The strict EHR of this project as the demo's counterpart: it launches, takes results, and asks for cards. */
export class FakeHospital {
  #ehr;
  #dialect;
  #gateway;
  #desk = null;
  #identifiers = [];
  /** By report, what its versions are known by. */
  #reports = new Map();

  constructor(ehr, { dialect, gateway }) {
    this.#ehr = ehr;
    this.#dialect = dialect;
    this.#gateway = gateway;
    this.name = `the strict EHR, dialect ${dialect}`;
  }

  /** `gateway`: its `url`, and the `key` of a caller. */
  static async start({ dialect, gateway, patientNumber }) {
    const { startFakeEhr } = await loadFakeEhr();
    const hospital = new FakeHospital(await startFakeEhr({ dialect }), { dialect, gateway });
    hospital.#admit(patientNumber);
    return hospital;
  }

  #admit(patientNumber) {
    const { control } = this.#ehr;
    const identifiers = [{ system: SYSTEMS.patient, value: patientNumber }];
    this.patientId = control.addPatient({ identifiers, family: 'Example', given: 'Ada' });
    const start = new Date(Date.now() - WEEKS_MS).toISOString();
    const visit = [{ system: SYSTEMS.visit, value: `V-${patientNumber}` }];
    this.encounterId = control.addEncounter({ patientId: this.patientId, identifiers: visit, start });
    this.#identifiers = identifiers;
    const staff = [{ system: SYSTEMS.staff, value: 'HCP-1' }];
    this.practitionerId = control.addPractitioner({ identifiers: staff, family: 'Winter', given: 'Ada' });
    if (this.#dialect === 'epic') control.mapRow(AREA_ROW);
  }

  /** As POST /admin/v1/organizations/{id}/ehrs takes it, environment and organization apart. */
  get terms() {
    return {
      name: `Demo EHR, ${this.#dialect}`,
      fhirBaseUrl: this.#ehr.fhirBaseUrl,
      patientSystem: SYSTEMS.patient,
      launch: { clientId: CLIENT_ID, clientType: 'asymmetric', people: 'review' },
      push: {
        enabled: true,
        dialect: this.#dialect,
        auth: 'backend-services',
        clientId: FILING_CLIENT_ID,
        ...PUSHES[this.#dialect],
      },
      cds: { enabled: true, issuer: this.#ehr.cds.issuer, jwksUrl: this.#ehr.cds.jwksUrl },
    };
  }

  get patientSystem() {
    return SYSTEMS.patient;
  }

  get patientNumber() {
    return this.#identifiers[0].value;
  }

  /** The EHR's side of the registration: two clients with our published keys. */
  registered({ addresses }) {
    // The command line may know the gateway by another address than this demo.
    const at = (address) => new URL(new URL(address).pathname, this.#gateway.url).href;
    const jwksUrl = at(addresses.keys);
    const { control } = this.#ehr;
    control.registerClient({
      clientId: CLIENT_ID,
      type: 'asymmetric',
      jwksUrl,
      redirectUris: [at(addresses.redirect)],
      scopes: ['launch', 'openid', 'fhirUser', ...['Patient.r', 'Encounter.rs'].map((scope) => `patient/${scope}`)],
    });
    const read = ['Patient', 'Encounter', 'Practitioner', 'Binary'].map((type) => `system/${type}.rs`);
    const written = ['DocumentReference', 'Observation', 'DiagnosticReport'].map((type) => `system/${type}.crus`);
    control.registerClient({
      clientId: FILING_CLIENT_ID,
      type: 'asymmetric',
      jwksUrl,
      isBackend: true,
      scopes: [...read, ...written],
    });
  }

  /** A fresh address that a frame or tab of the chart opens; good once. */
  launchAddress(appContext) {
    return this.#ehr.control.launch(`${this.#gateway.url}/launch`, {
      patientId: this.patientId,
      encounterId: this.encounterId,
      user: `Practitioner/${this.practitionerId}`,
      userName: 'Ada Winter',
      ...(appContext === undefined ? {} : { appContext }),
    });
  }

  /** Opens the desk from the chart; what it went through, in words. */
  async openDesk(appContext) {
    this.#desk = new LaunchedDesk(this.#gateway.url);
    const { asked, session } = await this.#desk.open(this.launchAddress(appContext));
    const wounds = session.wounds.map(({ label }) => label).join(', ');
    return `${asked.join(' → ')}\nThe desk is open for ${session.personName}, who may ${session.mode}; wounds: ${wounds}`;
  }

  /** Decides on a report at the desk; the new version. */
  async decide(reportId, decision) {
    const version = await this.#desk.decide(reportId, decision);
    const filed = filedAs(`${reportId}/document/v${version.version}`);
    this.#reports.set(reportId, [...(this.#reports.get(reportId) ?? []), filed]);
    return version;
  }

  /** The cards for this patient, asked with a token that is signed for exactly this call. */
  async cards() {
    const patient = { resourceType: 'Patient', id: this.patientId, identifier: this.#identifiers };
    const { status, body } = await this.#ehr.cds.ask(this.#gateway.url, 'sutura-wound-patient-view', {
      hook: 'patient-view',
      fhirServer: this.#ehr.fhirBaseUrl,
      context: { userId: `Practitioner/${this.practitionerId}`, patientId: this.patientId },
      prefetch: { patient },
    });
    if (status === 200) return body.cards;
    const hint =
      status === 401
        ? ` Either its PUBLIC_URL is not ${this.#gateway.url}, or it may not reach this machine: start it with SUTURA_EHR_NETWORKS=127.0.0.0/8.`
        : '';
    throw new DemoFailure(`The gateway refused to say its cards with ${status}.${hint}`);
  }

  async holdings() {
    const types = ['DocumentReference', 'DiagnosticReport', 'Observation'];
    return types.flatMap((type) => this.#ehr.control.resources(type));
  }

  /** What is not as it must be: each version decided on is there once, in its place; no call was careless. `isShared`: people have decided beside the demo. */
  async faults(isShared = false) {
    const corrects = this.#dialect === 'epic' ? { corrects: 'in-words' } : {};
    const expected = [...this.#reports.values()].map((versions) => ({
      patientId: this.patientId,
      versions,
      ...corrects,
    }));
    return [...this.#ehr.verify(isShared ? [] : expected), ...this.#ehr.control.objections];
  }

  /** Until the person ends it: a fresh launch after each that was used. */
  async keep(say) {
    const offer = () => say('Open', this.launchAddress());
    this.#ehr.control.follow(({ path, status }) => {
      if (path === '/oauth2/authorize' && status < 400) offer();
    });
    say('FHIR base', this.#ehr.fhirBaseUrl);
    say('Patient', `Patient/${this.patientId} ${this.#identifiers[0].system}|${this.#identifiers[0].value}`);
    offer();
    await new Promise((ended) => ['SIGINT', 'SIGTERM'].forEach((signal) => process.once(signal, ended)));
  }

  async stop() {
    await this.#ehr.stop();
  }
}

/** By what `verify` knows a version among what was sent; that it was superseded later is said of the same document. */
function filedAs(value) {
  return ({ identifier = [], status }) => status === 'current' && identifier.some((one) => one.value === value);
}
