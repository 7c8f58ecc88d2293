import { z } from 'zod';
import type { SampleSet, SamplePhoto } from '../../../core/images/sample-photos.js';
import { listFields } from '../paging/page.js';
import { samplePath } from '../route/paths.js';

const modelSchema = z.looseObject({ name: z.string(), version: z.string(), sha256: z.string() });

const seenSchema = z
  .looseObject({
    job: z.enum(['completed', 'refused']),
    refusedWith: z.string().nullable().describe('The code of the refusal; null: none, and the rest is null with one.'),
    woundDetected: z.boolean().nullable(),
    acceptable: z.boolean().nullable().describe('quality.acceptable of the result.'),
    outlineReliable: z.boolean().nullable(),
    outlines: z.int().nullable().describe('null where the outline is not reliable: another model draws another one.'),
    areaCm2: z.number().nullable().describe('To a tenth; null as outlines, and without a scale.'),
    necrosisShare: z.number().nullable().describe('Of the wound bed, to a hundredth; null as areaCm2, or none.'),
    warnings: z.array(z.string()).describe('quality.warnings of the result.'),
    attention: z.array(z.string()).describe('Why its report waits for a person; empty: it does not.'),
  })
  .meta({
    id: 'SampleSeen',
    description:
      'What came of the sample, sent alone for a patient and a wound of its own, analysed with seenWith. No promise of another model.',
  });

const sampleSchema = z
  .looseObject({
    name: z.string(),
    shows: z.string(),
    contentType: z.string(),
    sizeBytes: z.int(),
    sha256: z.string().describe('Hex.'),
    width: z.int().describe('Pixels.'),
    height: z.int().describe('Pixels.'),
    drawnAreaCm2: z.number().nullable().describe('Of the larger wound, as it was drawn; null: none was.'),
    series: z
      .looseObject({ name: z.string(), number: z.int() })
      .nullable()
      .describe('Its place in a series; null: it stands alone.'),
    seen: seenSchema,
    links: z.looseObject({ photo: z.url() }),
  })
  .meta({ id: 'Sample', description: 'A photo that was drawn for tests. Nobody is shown.' });

const sampleSeriesSchema = z
  .looseObject({
    name: z.string(),
    daysApart: z.int().describe('Between the capturedAt of one photo and the next.'),
    seen: z.looseObject({ verdict: z.string(), flags: z.array(z.string()) }).describe('Of the last report.'),
  })
  .meta({ id: 'SampleSeries', description: 'Photos of one wound, sent in their order for one patient and wound.' });

export const sampleListSchema = z
  .looseObject({
    ...listFields(sampleSchema, 'All of them.'),
    series: z.array(sampleSeriesSchema),
    seenWith: z.array(modelSchema).describe('The models whose answers were seen.'),
    seenOn: z.iso.date(),
    seenWithActiveModels: z
      .boolean()
      .describe('false: this installation analyses with other models, which may answer otherwise.'),
  })
  .meta({ id: 'SampleList', description: 'Photos to test an integration with.' });

export const SAMPLE_SCHEMAS: readonly z.ZodType[] = [seenSchema, sampleSchema, sampleSeriesSchema, sampleListSchema];

const toSampleView = (sample: SamplePhoto, publicUrl: string) => ({
  ...sample,
  links: { photo: `${publicUrl}${samplePath(sample.name)}` },
});

/** `activeSha256`: of the weights that this installation analyses with. */
export function toSampleList(collection: SampleSet, activeSha256: readonly string[], publicUrl: string) {
  const { samples, series, seenWith, seenOn } = collection;
  const isActive = ({ sha256 }: { readonly sha256: string }): boolean => activeSha256.includes(sha256);
  return {
    items: samples.map((sample) => toSampleView(sample, publicUrl)),
    nextCursor: null,
    series,
    seenWith,
    seenOn,
    seenWithActiveModels: activeSha256.length === seenWith.length && seenWith.every(isActive),
  };
}
