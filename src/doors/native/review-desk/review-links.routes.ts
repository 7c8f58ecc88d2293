import type { DescribedRoute } from '../route/api-route.decorator.js';
import { BASE, REPORT_ID } from '../route/examples.js';
import { reportPath } from '../route/paths.js';
import { reviewLinkRequestSchema, reviewLinkSchema } from './review-link.schema.js';

const LINK_ID = '01997f2f-0b52-7d03-8a11-4c6e9f2b7d20';

export const CREATE_REVIEW_LINK: DescribedRoute = {
  operationId: 'createReviewLink',
  tag: 'follow-up',
  summary: 'Make a link to the review desk',
  description:
    'A page at which a person looks at the report, at all reports of its wound, or at a list of reports one after the other, and decides. It acts in the name of the key and of the person of X-Sutura-User, and ends with the key. Charges nothing.',
  path: `${reportPath(REPORT_ID)}/review-links`,
  pathParameters: [{ name: 'id', description: 'The report', example: REPORT_ID }],
  body: {
    schema: reviewLinkRequestSchema,
    example: { mode: 'review', of: 'report', minutes: 10, language: 'de' },
    required: true,
  },
  answers: [
    {
      status: 201,
      description: 'The link, shown this once',
      schema: reviewLinkSchema,
      examples: {
        link: {
          id: LINK_ID,
          url: `${BASE}/review/${LINK_ID}#yZ0Jc3kE4b7oXx2n5mQw8r1tUv6sAaBbCcDdEeFfGgH`,
          expiresAt: '2025-11-20T09:11:12.631Z',
        },
      },
    },
  ],
  errors: ['request.invalid', 'report.not_found', 'review.frame'],
};
