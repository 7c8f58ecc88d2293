import type { Resource, ResourceType } from '@medplum/fhirtypes';
import { hl7Sample, hl7SourceOf, judgeHl7, KnownRecords } from '../../../../../test/support/hl7-inbound.js';
import type { SystemValue } from '../reading/identifiers.js';

/** Records that answer nobody before `open`. */
class SlowRecords extends KnownRecords {
  readonly asked: ResourceType[] = [];
  open: () => void = () => undefined;
  private readonly gate = new Promise<void>((go) => (this.open = go));

  override async findByIdentifier<T extends Resource>(
    tenant: unknown,
    type: ResourceType,
    wanted: readonly SystemValue[],
  ): Promise<T[]> {
    this.asked.push(type);
    await this.gate;
    return super.findByIdentifier<T>(tenant, type, wanted);
  }
}

const sample = hl7Sample('2.5.1/omg-o19-photo');

describe('the look-ups of a message’s plan', () => {
  it('fail the plan with the fault of the records', async () => {
    const records = new KnownRecords();
    records.findByIdentifier = () => Promise.reject(new Error('away'));
    await expect(judgeHl7(sample, hl7SourceOf(), records)).rejects.toThrow('away');
  });

  it('are begun together, for patient, order and wound, and made once', async () => {
    const records = new SlowRecords();
    const judged = judgeHl7(sample, hl7SourceOf(), records);
    await new Promise((proceed) => setImmediate(proceed));
    expect(new Set(records.asked)).toEqual(new Set(['Patient', 'ServiceRequest', 'BodyStructure']));
    const begun = [...records.asked];
    records.open();
    expect(await judged).toEqual(await judgeHl7(sample));
    expect(records.asked.filter((type) => begun.includes(type))).toEqual(begun);
  });
});
