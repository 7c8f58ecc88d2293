import type { Bundle, Media } from '@medplum/fhirtypes';
import { eventually } from '../support/eventually.js';
import { orderChange, orderMessage } from '../support/hl7-hospital.js';
import { drawWoundPhoto } from '../support/wound-photo.js';
import type { House, Work } from './held-steps.js';

const photo = (seed = 1) => drawWoundPhoto({ width: 128, height: 96, seed });
const WAITS = { unknownPatient: 'hold' };
const LOCAL = ['39135-9^Wound assessment panel^LN', 'WUND^Wunddoku^L'] as const;
const ACCESSION = 'A-1^RIS^1.2.3.4.5.11^ISO';
const FHIR = { 'content-type': 'application/fhir+json' };

const announced = orderChange('-', 'NW', 'C-9')
  .replace('OMG^O19^OMG_O19', 'ADT^A08^ADT_A01')
  .replace(/\rORC.*/s, '\r');
const ordered = async () => orderMessage({ order: 'O-1', photo: await photo() });

const resolve = async (house: House, resolution: object): Promise<boolean> => {
  const path = `/api/v1/held/${house.id}/resolve`;
  const { status } = await house.here.client.request('POST', path, { json: resolution });
  // Decided already: that one’s answer was lost.
  return [200, 404].includes(status);
};
const done = async (house: House) => ({
  held: await house.reasons(),
  waiting: await house.count('hl7_inbound', `state in ('held', 'received')`),
  awaited: await house.count('held_awaited_numbers'),
  patients: await house.count('patients'),
  photos: await house.count('images'),
  jobs: await house.count('analysis_jobs'),
  results: house.results('O-1'),
});
const ONE_OF_EACH = { held: [], waiting: 0, awaited: 0, patients: 1, photos: 1, jobs: 1, results: 1 };

/** The order knows the photo by its accession number alone. */
const lateOrder = orderChange('O-1', 'NW', 'C-2').replace(
  '39135-9^Wound assessment panel^LN',
  `39135-9^Wound assessment panel^LN${'|'.repeat(14)}${ACCESSION}`,
);

async function hasMedia(house: House): Promise<Media> {
  return eventually(
    'the photo is there',
    async () => (await house.here.read<Bundle<Media>>('Media')).entry?.[0]?.resource,
  );
}

/** What meets since both may come first, by its name in words. */
export const MEETINGS: Readonly<Record<string, Work>> = {
  'a message that waits for its patient': {
    listener: WAITS,
    prepare: () => Promise.resolve(),
    ask: async (house) => house.takes(await ordered()),
    ends: done,
    expected: { held: ['patient_unknown'], waiting: 1, awaited: 1, patients: 0, photos: 0, jobs: 0, results: 0 },
  },
  'a patient for whom a message waits': {
    listener: WAITS,
    prepare: async (house) => house.given(await ordered()),
    ask: (house) => house.takes(announced),
    ends: done,
    expected: ONE_OF_EACH,
  },
  'a person’s word that the patient is a new one': {
    listener: WAITS,
    prepare: async (house) => {
      await house.given(await ordered());
      house.id = (await eventually('it is held', async () => (await house.held())[0])).id;
    },
    ask: (house) => resolve(house, { action: 'accept' }),
    ends: done,
    expected: ONE_OF_EACH,
  },
  'a late order that knows its photo by accession number': {
    listener: { accessionField: 'OBR-18' },
    prepare: async (house) => {
      const taken = orderMessage({ order: '', kind: 'ORU', control: 'C-1', photo: await photo() });
      await house.given(
        taken
          .replace(...LOCAL)
          .replaceAll('^EHR^1.2.3.4.5.7^ISO', '')
          .replace('\rOBX|1|ED', `\rIPC|${ACCESSION}|1|1.2.3|1\rOBX|1|ED`),
      );
    },
    ask: (house) => house.takes(lateOrder),
    ends: done,
    expected: ONE_OF_EACH,
  },
  'a copy of a photo that comes back': {
    prepare: async (house) => {
      await house.given(await ordered());
      await eventually('the result', () => house.results('O-1') === 1);
      house.id = (await hasMedia(house)).id!;
    },
    ask: async (house) => {
      const { id, meta: _, ...original } = await house.here.read<Media>(`Media/${house.id}`);
      const json = {
        ...original,
        identifier: [...(original.identifier ?? []), { system: 'urn:oid:2.999.7', value: 'copy' }],
        content: { ...original.content, data: (await photo()).toString('base64'), url: undefined },
      };
      const answer = await house.here.client.request('POST', '/fhir/Media', {
        json,
        headers: { ...FHIR, 'idempotency-key': `copy-${id}`, 'if-none-exist': 'identifier=urn:oid:2.999.7|copy' },
      });
      return [200, 201].includes(answer.status);
    },
    ends: async (house) => ({
      jobs: await house.count('analysis_jobs'),
      results: house.results('O-1'),
      wounds: await house.count('wounds'),
    }),
    expected: { jobs: 1, results: 1, wounds: 1 },
  },
  'a person’s word which wound a photo shows': {
    prepare: async (house) => {
      for (const [order, wound, taken, seed] of [
        ['O-1', 'W-1', '20260301', 1],
        ['O-2', null, '20260308', 2],
      ] as const)
        await house.given(orderMessage({ order, wound, taken, photo: await photo(seed) }));
      await eventually('both results', () => house.results('O-1') === 1 && house.results('O-2') === 1);
      house.id = (await eventually('it is asked', async () => (await house.held())[0])).id;
    },
    ask: async (house) => {
      const item = await house.here.client.request('GET', `/api/v1/held/${house.id}`);
      if (item.status === 404) return true;
      const { came } = item.body as { came: { resources: readonly string[] } };
      return resolve(house, { action: 'link', to: came.resources[1] });
    },
    ends: async (house) => ({
      held: await house.reasons(),
      joined: await house.count('wounds', 'merged_into is not null'),
      decisions: await house.count('wound_events'),
      results: house.results('O-2'),
    }),
    expected: { held: [], joined: 1, decisions: 1, results: 2 },
  },
};
