import type { Media, Observation, Patient, ServiceRequest } from '@medplum/fhirtypes';
import { decodeMessage } from '../../../standards/hl7v2/er7/decode-message.js';
import { hl7Sample, hl7SourceOf, judgeHl7, plannedOf } from '../../../../test/support/hl7-inbound.js';
import { LISTENER_SETTINGS, sourceOf, type ListenerSettings } from '../inbox/listeners/hl7-listener.js';
import { translationsOf } from './reading/code-maps.js';
import { NO_CODE_MAPS, type CodeMaps } from './reading/mapped-fields.js';

const refusal = (codes: object): (string | number | symbol)[][] =>
  LISTENER_SETTINGS.safeParse({ port: null, codes }).error?.issues.map(({ path }) => path as string[]) ?? [];
const mapped = (codes: Partial<CodeMaps>) => ({ ...NO_CODE_MAPS, ...codes });

/** The source of a listener with these maps, by its settings. */
function sourceWith(codes: Partial<ListenerSettings['codes']>) {
  const base = hl7SourceOf();
  const settings = LISTENER_SETTINGS.parse({ port: null, timeZone: 'Europe/Berlin', processingIds: ['T'], codes });
  return sourceOf({ ...base, enabled: true, createdAt: new Date(0), settings });
}

describe('the codes of a listener', () => {
  it('are refused where a target is none of ours, and where the field is not one that is mapped', () => {
    expect(refusal({ 'OBX-3': { WNR: 'wound-number' } })).toEqual([['codes', 'OBX-3', 'WNR']]);
    expect(refusal({ 'OBR-4': { WUND: '39136-0' } })).toEqual([['codes', 'OBR-4', 'WUND']]);
    expect(refusal({ 'OBX-11': { E: 'Q' }, 'ORC-1': { NEU: 'XX' }, 'PID-8': { W: 'female' } })).toHaveLength(3);
    expect(refusal({ 'PR1-3': { DEB: 'event-cleaning' } })).toEqual([['codes', 'PR1-3', 'DEB']]);
    expect(refusal({ 'PR1-3': { DEB: 'event-debridement' } })).toEqual([]);
    expect(refusal({ 'OBX-5': { A: 'B' } })).toEqual([['codes']]);
    expect(
      refusal({ 'OBX-3': Object.fromEntries(Array.from({ length: 101 }, (_, one) => [`C${one}`, 'wound-id'])) }),
    ).toEqual([['codes', 'OBX-3']]);
  });

  it('have no effect on codes that only resemble them, or that an object inherits', async () => {
    const source = hl7SourceOf({ codes: mapped({ 'ORC-1': { NEU: 'NW' } }) });
    for (const control of ['NEUE', 'constructor', '__proto__', 'toString']) {
      const { code } = await judgeHl7(hl7Sample('2.5.1/omg-o19-photo', ['ORC|NW|', `ORC|${control}|`]), source);
      expect(code).toBe('AE');
    }
  });

  it('are read by code or by code and system, whatever their case, in each of the fields', async () => {
    const message = hl7Sample(
      '2.5.1/omg-o19-photo',
      ['ORC|NW|', 'ORC|neu|'],
      ['39135-9^Wound assessment panel^LN', 'WUND^Wunddoku^L'],
      ['||||||F', '||||||E'],
    );
    const codes = {
      'ORC-1': { NEU: 'NW' },
      'OBR-4': { 'wund^l': '39135-9' },
      'OBX-11': { e: 'F' },
    };
    const { plan, code, problems } = await judgeHl7(message, sourceWith(codes));
    expect([code, problems.map((problem) => problem.code)]).toEqual(['AA', ['finding.kept']]);
    expect(plan.orders[0]!.action).toEqual({ control: 'NW', kind: 'create' });
    expect(plannedOf<ServiceRequest>(plan, 'ServiceRequest')[0]!.resource.code?.coding?.map((one) => one.code)).toEqual(
      ['WUND', 'WIA', '39135-9'],
    );
    expect(plannedOf<Media>(plan, 'Media')).toHaveLength(1);
  });

  it('take over findings and facts of a wound under codes of the sender', async () => {
    const rows = 'OBX|21|ST|WNR^Wundnummer^L|1|W-9||||||F\rOBX|22|NM|WTIEFE^Tiefe^L|1|0.7|cm^cm^UCUM|||||F\r';
    const message = Buffer.concat([
      hl7Sample('2.5.1/omg-o19-photo', ['wound-id^', 'other-id^'], ['19510714|F|', '19510714|W|']),
      Buffer.from(rows),
    ]);
    const source = sourceWith({
      'PID-8': { w: 'F' },
      'OBX-3': { 'WNR^L': 'wound-id', WTIEFE: '39127-6' },
    });
    const { plan } = await judgeHl7(message, source);
    expect(plannedOf<Patient>(plan, 'Patient')[0]?.resource.gender).toBe('female');
    const depth = plannedOf<Observation>(plan, 'Observation').find(
      ({ resource }) => resource.valueQuantity?.value === 0.7,
    );
    expect(depth?.resource.code.coding?.map(({ system, code }) => [system, code])).toEqual([
      ['http://loinc.org', '39127-6'],
      [undefined, 'WTIEFE'],
    ]);
    expect(JSON.stringify(plan.bundle)).toContain('"W-9"');
  });

  it('are told for a dry run, each with its place', () => {
    const decoded = decodeMessage(hl7Sample('2.5.1/omg-o19-photo', ['ORC|NW|', 'ORC|NEU|']), { characterSet: null });
    if (decoded.kind !== 'message') throw new Error('The sample is no message.');
    expect(translationsOf(decoded.message, mapped({ 'ORC-1': { NEU: 'NW' } }))).toEqual([
      { segment: 'ORC', sequence: 1, field: 1, sent: 'NEU', read: 'NW' },
    ]);
  });
});
