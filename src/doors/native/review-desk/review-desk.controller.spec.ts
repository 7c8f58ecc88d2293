import type { FastifyRequest } from 'fastify';
import type { ReviewMode } from '../../../core/report/review-link.js';
import type { HttpAnswer } from '../../../platform/http/http-answer.js';
import type { ReviewRequestBody } from '../reports/report.schema.js';
import { ReviewDeskController } from './review-desk.controller.js';

const BODIES = [
  { decision: 'accept', reviewer: { id: 'n-17', name: 'Nora Field' } },
  { decision: 'reassign', reviewer: { id: 'n-17', name: 'Nora Field' }, note: 'Another patient.' },
] as unknown as ReviewRequestBody[];
const ANSWER: HttpAnswer = { status: 201, headers: {}, body: '{}' };

/** The desk that a link of this mode opened, and what it decided. */
function deskOf(mode: ReviewMode) {
  const decided: unknown[] = [];
  const decide = (_caller: unknown, id: string) => {
    decided.push(id);
    return Promise.resolve(ANSWER);
  };
  const parts = [
    { admit: () => Promise.resolve({ link: { mode }, caller: {}, csrfToken: '' }) },
    { requireNamed: () => Promise.resolve() },
    { review: decide },
    { reassign: decide },
    { endDecided: () => Promise.resolve() },
  ];
  const controller = new ReviewDeskController(
    ...(parts as unknown as ConstructorParameters<typeof ReviewDeskController>),
  );
  const review = (body: ReviewRequestBody) =>
    controller.review('l', 'r', '"1"', { draft: [] }, body, {} as FastifyRequest);
  return { decided, review };
}

describe('the review desk', () => {
  it.each(BODIES)('takes no decision where the link is for reading: $decision', async (body) => {
    const { decided, review } = deskOf('read');
    await expect(review(body)).rejects.toMatchObject({ code: 'review.read_only' });
    expect(decided).toEqual([]);
  });

  it.each(BODIES)('takes one where the link is for reviewing: $decision', async (body) => {
    const { decided, review } = deskOf('review');
    await review(body);
    expect(decided).toEqual(['r']);
  });
});
