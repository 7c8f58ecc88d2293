import type { Bundle, Media, Resource, ServiceRequest, Task } from '@medplum/fhirtypes';
import { eventually } from '../../support/eventually.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { fieldOf, Hl7Hospital, orderChange, orderMessage } from '../../support/hl7-hospital.js';
import { mediaOf, orderOf, PATIENT_NUMBERS } from '../../support/intake-resources.js';
import { drawSmallWoundPhoto } from '../../support/wound-photo.js';

const subject = { type: 'Patient', identifier: { system: PATIENT_NUMBERS, value: 'MRN-1' } };
const numberOf = (value: string) => ({ system: 'urn:oid:1.2.3.4.5.7', value });

describe('what came over FHIR before its patient, who comes by HL7', () => {
  let gateway: SharedGateway;
  let hospital: Hl7Hospital;

  beforeAll(async () => {
    gateway = await sharedGateway();
  });
  beforeEach(async () => {
    hospital = await Hl7Hospital.open(gateway, {}, { pdf: 'none' });
  });
  afterEach(() => hospital?.close());

  const post = async <T extends Resource>(resource: T): Promise<T> => {
    const answer = await hospital.client.request('POST', `/fhir/${resource.resourceType}`, {
      json: resource,
      headers: { 'content-type': 'application/fhir+json' },
    });
    expect(answer.status).toBe(201);
    return answer.body as T;
  };
  const reasons = async () =>
    ((await hospital.client.request('GET', '/api/v1/held')).body as { items: { reason: string }[] }).items.map(
      ({ reason }) => reason,
    );
  const tasks = async () =>
    ((await hospital.read<Bundle<Task>>('Task')).entry ?? []).map(({ resource }) => resource!.status);

  it('a photo: its result leaves under the order that comes with the patient', async () => {
    const data = (await drawSmallWoundPhoto({ seed: 1 })).toString('base64');
    const basedOn = [{ type: 'ServiceRequest', identifier: numberOf('O-7') }] as Media['basedOn'];
    await post(mediaOf({ data }, {}, { subject, basedOn } as Partial<Media>));
    expect(await reasons()).toEqual(['patient_unknown']);
    const answer = await hospital.send(orderChange('O-7', 'NW', 'C-7'));
    expect(fieldOf(answer!, 'MSA', 1)).toBe('AA');
    const result = await hospital.result('O-7');
    expect(fieldOf(result, 'PID', 3)).toMatch(/^MRN-1\^/);
    await eventually('the Task has ended', async () => ((await tasks()).join() === 'completed' ? true : null));
    expect(await reasons()).toEqual([]);
  });

  it('an order: the photo that comes with the patient is analysed for it, once', async () => {
    const order = await post(orderOf('', { subject, identifier: [numberOf('O-8')] } as Partial<ServiceRequest>));
    const photo = await drawSmallWoundPhoto({ seed: 2 });
    const answer = await hospital.send(orderMessage({ order: 'O-8', photo, kind: 'ORU', control: 'C-8' }));
    expect(fieldOf(answer!, 'MSA', 1)).toBe('AA');
    await hospital.result('O-8');
    await eventually('the Task has ended', async () => ((await tasks()).join() === 'completed' ? true : null));
    await eventually('the order has its patient', async () => {
      const kept = await hospital.read<ServiceRequest>(`ServiceRequest/${order.id}`);
      return kept.subject.reference?.startsWith('Patient/');
    });
    const left = await eventually('nothing to wait', async () => ((await reasons()).length === 0 ? 'nothing' : null));
    expect([left, hospital.resultsOf('O-8')]).toEqual(['nothing', [expect.any(String)]]);
  });
});
