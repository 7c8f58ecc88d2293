import { startGateway } from '../lib/gateway.mjs';
import { timeRequests } from '../lib/load-http.mjs';
import { query } from '../lib/postgres-server.mjs';
import { median } from '../lib/statistics.mjs';
import { createTenants } from '../lib/tenants.mjs';

const FHIR_JSON = 'application/fhir+json';
const PER_PATIENT = 20;
const PER_BUNDLE = 400;
const LANES = 2;
const LIMIT = 1.5;
const FEW = 1_000;
const MANY = 100_000;
const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(2020, 0, 1);

/** The same searches with a thousand and with a hundred thousand resources of one organization, posted through the door. Filling takes minutes. */
export const s9Search = {
  id: 's9f',
  name: 'FHIR searches as resources grow',
  unit: 'ratio of p50',
  goal: `at most ${LIMIT} for each search, from 1e3 to 1e5 resources`,
  async run({ postgres, secs, rounds }) {
    const databaseUrl = await postgres.createDatabase();
    const gateway = await startGateway({ databaseUrl, env: { SUTURA_ROLES: 'api' } });
    const [tenant] = await createTenants(gateway, 1);
    const store = { gateway, tenant, patients: [], observations: 0 };
    const at = async (total) => {
      await fill(store, total);
      await query(databaseUrl, 'vacuum (analyze)');
      return measure(store, secs, rounds);
    };
    const few = await at(FEW);
    const many = await at(MANY);
    await gateway.stop();
    const growth = Object.fromEntries(
      Object.keys(few).map((name) => [name, Math.round((many[name] / few[name]) * 1000) / 1000]),
    );
    return {
      growth,
      p50Ms: { few, many },
      ratio: null,
      passed: Object.values(growth).every((ratio) => ratio <= LIMIT),
    };
  },
};

/** Patients with Observations of theirs, until there are so many resources. */
async function fill(store, total) {
  while (store.patients.length + store.observations < total) {
    const entry = [];
    while (entry.length < PER_BUNDLE && store.patients.length + store.observations + entry.length < total)
      entry.push(...patientWithObservations(store, store.patients.length + entry.length));
    const { authorization } = store.tenant;
    const body = JSON.stringify({ resourceType: 'Bundle', type: 'transaction', entry });
    const answer = await fetch(`${store.gateway.baseUrl}/fhir`, {
      method: 'POST',
      headers: { 'content-type': FHIR_JSON, authorization, prefer: 'return=minimal' },
      body,
    });
    if (answer.status !== 200) throw new Error(`filling: ${answer.status} ${await answer.text()}`);
    for (const { response } of (await answer.json()).entry) {
      if (response.location.startsWith('Patient/')) store.patients.push(/Patient\/([^/]+)/.exec(response.location)[1]);
      else store.observations += 1;
    }
  }
}

function patientWithObservations({ patients, observations }, made) {
  const number = patients.length + observations + made;
  const fullUrl = `urn:uuid:00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const patient = {
    resourceType: 'Patient',
    identifier: [{ system: 'urn:bench:mrn', value: `B-${number}` }],
    name: [{ family: `Family${number % 500}`, given: [`Given${number % 37}`] }],
    birthDate: '1950-01-01',
    telecom: [{ system: 'email', value: `b-${number}@bench.example` }],
  };
  const observationOf = (place) => ({
    resourceType: 'Observation',
    status: 'final',
    code: { coding: [{ system: 'http://loinc.org', code: '39127-6' }] },
    subject: { reference: fullUrl },
    effectiveDateTime: new Date(FIRST_DAY + ((number * 7 + place) % 2000) * DAY_MS).toISOString(),
    valueQuantity: { value: ((number + place) % 90) / 10, unit: 'cm', system: 'http://unitsofmeasure.org', code: 'cm' },
  });
  const post = (resource, url) => ({
    ...(url === undefined ? {} : { fullUrl: url }),
    resource,
    request: { method: 'POST', url: resource.resourceType },
  });
  return [post(patient, fullUrl), ...Array.from({ length: PER_PATIENT - 1 }, (_, place) => post(observationOf(place)))];
}

/** p50 in milliseconds of each search; the first pass warms up and is thrown away. */
async function measure({ gateway, tenant, patients }, secs, rounds) {
  let turn = 0;
  const someone = () => patients[(turn += 1) % patients.length];
  const day = () => new Date(FIRST_DAY + ((turn += 1) % 1900) * DAY_MS).toISOString().slice(0, 10);
  const searches = {
    'newest of a patient': () => `Observation?subject=Patient/${someone()}&_sort=-date`,
    'of a patient by code': () => `Observation?patient=${someone()}&code=http://loinc.org|39127-6`,
    'newest by code': () => 'Observation?code=http://loinc.org|39127-6&_sort=-date',
    'by code and date': () => `Observation?code=39127-6&date=ge${day()}&_count=20`,
    'by value': () => 'Observation?value-quantity=gt8.5||cm&_count=20',
    'by number, whatever the unit': () => 'Observation?value-quantity=gt8.5&_count=20',
    'by identifier': () => 'Patient?identifier=urn:bench:mrn|B-0',
    'by e-mail': () => 'Patient?email=b-0@bench.example',
    'by name': () => `Patient?family=family${(turn += 1) % 50}`,
    'with what it refers to': () => `Observation?patient=${someone()}&_include=Observation:subject`,
    'by the patient’s identifier': () => 'Observation?patient.identifier=urn:bench:mrn|B-0',
    'last changed': () => 'Observation?_lastUpdated=ge2026-01-01&_sort=-_lastUpdated',
  };
  const medians = Object.fromEntries(Object.keys(searches).map((name) => [name, []]));
  const headers = { authorization: tenant.authorization };
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, next] of Object.entries(searches)) {
      const durationsMs = await timeRequests({
        url: gateway.baseUrl,
        lanes: LANES,
        secs: Math.min(secs, 3),
        next: () => ({ method: 'GET', path: encodeURI(`/fhir/${next()}`), headers }),
      });
      if (round > 0) medians[name].push(median(durationsMs));
    }
  }
  return Object.fromEntries(
    Object.entries(medians).map(([name, values]) => [name, Math.round(median(values) * 100) / 100]),
  );
}
