import { compareFhir } from '../lib/fhir-sides.mjs';

/** Of the floor, which validates nothing: 0.8 of what Medplum's router reaches of it, for machines where that is not installed. */
const SHARE_OF_FLOOR = 0.2;
const SHARE_OF_PEER = 0.8;

/** Creating an Observation, validated, with its history and the rows that searches read. */
export const s5 = {
  id: 's5',
  name: 'create an Observation',
  unit: 'requests/s',
  goal: `at least ${SHARE_OF_PEER} of Medplum's router, which keeps no history and no index rows; where it is not installed, ${SHARE_OF_FLOOR} of raw http with one insert`,
  async run({ postgres, secs, rounds }) {
    const outcome = await compareFhir({ postgres, secs, rounds, requestOf, countStored });
    const passed =
      typeof outcome.peer === 'object' ? outcome.peer.ratio >= SHARE_OF_PEER : outcome.ratio >= SHARE_OF_FLOOR;
    return { ...outcome, passed };
  },
};

async function requestOf(gateway, tenant) {
  const headers = { 'content-type': 'application/fhir+json', authorization: tenant.authorization };
  const answer = await fetch(`${gateway.baseUrl}/fhir/Patient`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ resourceType: 'Patient' }),
  });
  if (answer.status !== 201) throw new Error(`Patient: ${answer.status} ${await answer.text()}`);
  const { id } = await answer.json();
  return { path: '/Observation', body: observationOf(`Patient/${id}`) };
}

/** A depth of a wound of this patient. */
export function observationOf(patient) {
  return {
    resourceType: 'Observation',
    status: 'final',
    category: [{ coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'exam' }] }],
    code: {
      coding: [{ system: 'http://loinc.org', code: '39127-6', display: 'Depth of Wound' }],
      text: 'Depth of wound',
    },
    subject: { reference: patient },
    effectiveDateTime: '2026-03-15T09:40:00+01:00',
    issued: '2026-03-15T09:41:00+01:00',
    performer: [{ type: 'Practitioner', identifier: { system: 'urn:oid:2.999.4', value: '31' }, display: 'Example' }],
    valueQuantity: { value: 0.6, unit: 'cm', system: 'http://unitsofmeasure.org', code: 'cm' },
    bodySite: { text: 'Left heel' },
  };
}

async function countStored(query) {
  const [{ stored }] = await query(`select count(*)::int as stored from fhir_resources where type = 'Observation'`);
  return stored;
}
