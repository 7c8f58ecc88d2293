import type { Bundle, BundleEntry } from '@medplum/fhirtypes';
import { joinBundles } from './joined-bundle.js';

const NAME = 'urn:uuid:00000000-0000-4000-8000-000000000001';

function bundleOf(...entry: object[]): Bundle {
  return { resourceType: 'Bundle', type: 'transaction', entry: entry as BundleEntry[] };
}

/** A patient and a finding of it, as every message names them. */
function messageOf(text: string): Bundle {
  return bundleOf(
    { fullUrl: NAME, resource: { resourceType: 'Patient', name: undefined } },
    {
      fullUrl: 'urn:uuid:00000000-0000-4000-8000-000000000002',
      resource: {
        resourceType: 'Observation',
        subject: { reference: NAME },
        focus: [{ reference: NAME }],
        note: [{ text }],
      },
    },
  );
}

describe('Bundles that are joined', () => {
  it('keep their own references, although each names its entries alike', () => {
    const { entry } = joinBundles([messageOf('a'), messageOf('b')]) as {
      entry: { fullUrl: string; resource: never }[];
    };
    expect(new Set(entry.map(({ fullUrl }) => fullUrl)).size).toBe(4);
    const [firstPatient, firstFinding, secondPatient, secondFinding] = entry;
    for (const [patient, finding] of [
      [firstPatient, firstFinding],
      [secondPatient, secondFinding],
    ])
      expect(finding!.resource).toMatchObject({
        subject: { reference: patient!.fullUrl },
        focus: [{ reference: patient!.fullUrl }],
      });
  });

  it('keep text that reads like a name, and references to what exists', () => {
    const known = bundleOf({ resource: { resourceType: 'Observation', subject: { reference: 'Patient/1' } } });
    const { entry } = joinBundles([messageOf(NAME), known]) as { entry: { resource: never }[] };
    expect(entry.map(({ resource }) => resource)).toMatchObject([
      {},
      { note: [{ text: NAME }] },
      { subject: { reference: 'Patient/1' } },
    ]);
  });

  it('are a copy without what is undefined', () => {
    const message = messageOf('a');
    expect(joinBundles([message])).toStrictEqual(JSON.parse(JSON.stringify(message)));
    expect(joinBundles([bundleOf()])).toStrictEqual({ resourceType: 'Bundle', type: 'transaction' });
    expect(message.entry![0]!.resource).toHaveProperty('name');
  });
});
