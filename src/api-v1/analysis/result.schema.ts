import { z } from 'zod';

const pixels = z.number().min(0);
const point = z.tuple([z.number(), z.number()]);

const measuredCm = z.looseObject({ value: z.number() }).nullable().describe('null where the photo has no scale: nothing is invented.');

const measuredLength = z.looseObject({ pixels, cm: measuredCm });

export const woundSchema = z
  .looseObject({
    index: z.int().min(0).describe('0 is the largest outline: the wound of the subject.'),
    boundingBox: z.looseObject({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
    contour: z
      .looseObject({ type: z.literal('Polygon'), coordinates: z.array(z.array(point)) })
      .describe('GeoJSON polygon in pixels of the oriented photo: the outer ring first, then holes.'),
    area: z.looseObject({ pixels, cm2: measuredCm }),
    length: measuredLength.describe('Greatest distance across the outline.'),
    width: measuredLength.describe('Greatest extent perpendicular to the length.'),
    perimeter: measuredLength.describe('Length of the outer ring.'),
  })
  .meta({ id: 'WoundMeasurement', description: 'One outline and its measures.' });

export const artifactSchema = z
  .looseObject({
    url: z.url().describe('Stable; needs the scope analysis:read.'),
    contentType: z.string(),
    width: z.int().min(1),
    height: z.int().min(1),
  })
  .meta({ id: 'ArtifactReference', description: 'A picture made from the analysis.' });

export const resultSchema = z
  .looseObject({
    schemaVersion: z.literal('1.0'),
    woundDetected: z.boolean().describe('false is a finding about this photo, and never that a wound has healed.'),
    quality: z.looseObject({ warnings: z.array(z.string()).describe('no_scale, touches_edge, no_wound, multiple_outlines; more may come.') }),
    scale: z.looseObject({ source: z.string().describe('client or none; more may come.'), mmPerPixel: z.number().nullable() }),
    wounds: z.array(woundSchema),
    totals: z.looseObject({ woundCount: z.int().min(0), areaPixels: pixels, areaCm2: z.number().nullable() }),
    scores: z.looseObject({}).nullable(),
    followUp: z.looseObject({}).nullable(),
    artifacts: z.looseObject({ mask: artifactSchema, overlay: artifactSchema }),
    trace: z
      .looseObject({
        models: z.array(z.looseObject({ name: z.string(), version: z.string(), sha256: z.string(), researchOnly: z.boolean() })),
        executionProvider: z.string(),
        preprocessing: z.looseObject({}),
        thresholds: z.looseObject({}),
        timingsMs: z.record(z.string(), z.number()),
      })
      .describe('Which model made this, and how.'),
  })
  .meta({ id: 'WoundResult', description: 'Decision support, not a diagnosis. Fields may be added; ignore those that you do not know.' });
