import { DemoFailure } from '../demo-gateway.mjs';
import { decideOverRest } from './rest-decision.mjs';

const FHIR_JSON = 'application/fhir+json';
const PATIENCE_MS = 60_000;
const PATIENT_SYSTEM = 'urn:oid:2.999.1';
const EXAMPLE = { name: [{ family: 'Example', given: ['Ada'] }] };
const FILED_SYSTEM = 'https://sutura.dev/fhir/sid/filed';
const REVIEWER = { id: 'HCP-1', name: 'Ada Winter', system: 'urn:oid:2.999.5' };

/** Any FHIR R4 server with transactions, such as HAPI's, as the counterpart: it takes results, and neither launches nor asks. */
export class FhirHospital {
  #base;
  #token;
  #gateway;
  #patient;
  #reports = new Map();

  constructor({ base, token, gateway, patient }) {
    this.#base = base.replace(/\/+$/, '');
    this.#token = token;
    this.#gateway = gateway;
    this.#patient = patient;
    this.name = `the FHIR server ${this.#base}`;
  }

  /** `known`: system and number of a patient of that server; null: one is made there. */
  static async start({ known, patientNumber, ...wish }) {
    const patient = known ?? { system: PATIENT_SYSTEM, value: patientNumber };
    const hospital = new FhirHospital({ ...wish, patient });
    const identifier = `identifier=${encodeURIComponent(`${patient.system}|${patient.value}`)}`;
    if (known === null)
      await hospital.#ask('POST', '/Patient', { resourceType: 'Patient', identifier: [patient], ...EXAMPLE });
    const found = await hospital.#search('Patient', identifier);
    if (found.length !== 1)
      throw new DemoFailure(`The server has ${found.length} patients with this number, and exactly one is needed.`);
    hospital.patientId = found[0].id;
    return hospital;
  }

  get patientSystem() {
    return this.#patient.system;
  }

  get patientNumber() {
    return this.#patient.value;
  }

  get terms() {
    return {
      name: 'Demo FHIR server',
      fhirBaseUrl: this.#base,
      patientSystem: this.#patient.system,
      push: {
        enabled: true,
        dialect: 'transaction',
        send: ['pdf', 'observations', 'diagnostic-report'],
        encounterRule: 'none',
        ...(this.#token === undefined ? { auth: 'none' } : { auth: 'bearer', token: this.#token }),
      },
    };
  }

  registered() {}

  async openDesk() {
    return 'not tried: this server launches nothing; the decisions come by POST /api/v1/reports/{id}/reviews';
  }

  /** Decides over REST; the new version. */
  async decide(reportId, decision) {
    const version = await decideOverRest(this.#gateway, reportId, decision, REVIEWER);
    this.#reports.set(reportId, [...(this.#reports.get(reportId) ?? []), version.version]);
    return version;
  }

  async cards() {
    return null;
  }

  async holdings() {
    const types = ['DocumentReference', 'DiagnosticReport', 'Observation'];
    const found = await Promise.all(types.map((type) => this.#search(type, `patient=${this.patientId}&_count=200`)));
    return found.flat();
  }

  /** Each version decided on is there exactly once, in the chart of the patient, and only the last one stands. */
  async faults() {
    const faults = [];
    for (const [reportId, versions] of this.#reports) {
      for (const version of versions) {
        const value = `${reportId}/document/v${version}`;
        const found = await this.#search(
          'DocumentReference',
          `patient=${this.patientId}&identifier=${encodeURIComponent(`${FILED_SYSTEM}|${value}`)}`,
        );
        if (found.length !== 1) faults.push(`There are ${found.length} DocumentReference of ${value}.`);
        for (const { id, status, subject } of found) {
          const wanted = version === versions.at(-1) ? 'current' : 'superseded';
          if (status !== wanted) faults.push(`DocumentReference/${id} is ${status}, and should be ${wanted}.`);
          if (subject.reference !== `Patient/${this.patientId}`)
            faults.push(`DocumentReference/${id} is of ${subject.reference}, and not of Patient/${this.patientId}.`);
        }
      }
    }
    return faults;
  }

  async stop() {}

  async #search(type, query) {
    const { entry = [] } = await this.#ask('GET', `/${type}?${query}`);
    return entry.map(({ resource }) => resource).filter(({ resourceType }) => resourceType === type);
  }

  async #ask(method, path, body, headers = {}) {
    const answer = await fetch(`${this.#base}${path}`, {
      method,
      headers: {
        accept: FHIR_JSON,
        ...headers,
        ...(this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` }),
        ...(body === undefined ? {} : { 'content-type': FHIR_JSON }),
      },
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((fault) => {
      throw new DemoFailure(`The FHIR server does not answer (${fault.cause?.code ?? fault.name}).`);
    });
    const text = await answer.text();
    if (answer.ok) return JSON.parse(text);
    throw new DemoFailure(`The FHIR server refused ${method} ${path.split('?')[0]} with ${answer.status}.`);
  }
}
