import type { z } from 'zod';
import {
  CLOSE_WOUND,
  LIST_WOUNDS,
  MERGE_WOUND,
  READ_COURSE,
  READ_TIMELINE,
  READ_WOUND,
  REOPEN_WOUND,
  UNMERGE_WOUND,
} from '../wounds/wounds.routes.js';
import { LIST_VERSIONS, READ_REPORT, READ_VERSION, REVIEW_REPORT } from './reports.routes.js';
import { reviewRequestSchema } from './report.schema.js';

const ROUTES = [
  CLOSE_WOUND,
  LIST_WOUNDS,
  MERGE_WOUND,
  READ_COURSE,
  READ_TIMELINE,
  READ_WOUND,
  REOPEN_WOUND,
  UNMERGE_WOUND,
  LIST_VERSIONS,
  READ_REPORT,
  READ_VERSION,
  REVIEW_REPORT,
];
const EXAMPLES = ROUTES.flatMap((route) => [
  ...(route.body === undefined
    ? []
    : [[`${route.operationId} request`, route.body.schema, route.body.example] as const]),
  ...route.answers.flatMap(({ schema, examples }) =>
    Object.entries(examples ?? {}).map(
      ([name, example]) => [`${route.operationId} ${name}`, schema!, example] as const,
    ),
  ),
]);

describe('a review request', () => {
  const reviewer = { id: 'HCP-0042', name: 'Example Reviewer' };
  const contour = {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [9, 0],
        [9, 9],
        [0, 0],
      ],
    ],
  };
  it.each([
    ['no reviewer', { decision: 'accept' }],
    ['a contour with accept', { decision: 'accept', contour, reviewer }],
    ['a subject with correct', { decision: 'correct', contour, subject: { patientId: 'P' }, reviewer }],
    ['reassign without a subject', { decision: 'reassign', reviewer }],
    [
      'a contour in three dimensions',
      {
        decision: 'correct',
        contour: {
          type: 'Polygon',
          coordinates: [
            [
              [0, 0, 0],
              [9, 0, 0],
              [9, 9, 0],
              [0, 0, 0],
            ],
          ],
        },
        reviewer,
      },
    ],
    [
      'a line for a contour',
      {
        decision: 'correct',
        contour: {
          type: 'LineString',
          coordinates: [
            [0, 0],
            [9, 9],
          ],
        },
        reviewer,
      },
    ],
    [
      'a tissue that nobody knows',
      { decision: 'correct', tissue: { granulation: 1, slough: 0, necrosis: 0, other: 0, bone: 0 }, reviewer },
    ],
    ['a misspelt field', { decision: 'accept', notes: 'x', reviewer }],
  ])('with %s is refused', (_, body) => {
    expect(reviewRequestSchema.safeParse(body).success).toBe(false);
  });
});

describe('the follow-up examples of the document', () => {
  it.each(EXAMPLES)('%s fits its schema', (_, schema: z.ZodType, example) => {
    expect(schema.safeParse(example).error?.issues).toBeUndefined();
  });
});
