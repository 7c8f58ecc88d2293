/** Headers of answers, as the document describes them. */
export const ANSWER_HEADERS = {
  Location: {
    description: 'Path of what was made',
    schema: { type: 'string' },
    example: '/api/v1/analysis/jobs/01997f2f-0b52-7c41-9d3e-2a6f8c1e7b90',
  },
  'Retry-After': {
    description: 'Seconds until the next attempt is worth while',
    schema: { type: 'integer' },
    example: 1,
  },
  'RateLimit-Policy': { description: 'The daily quota', schema: { type: 'string' }, example: '"daily";q=25;w=86400' },
  RateLimit: {
    description: 'What is left of it, and seconds to 00:00 UTC',
    schema: { type: 'string' },
    example: '"daily";r=24;t=53928',
  },
  'Idempotency-Replayed': {
    description: '`true` where this is the stored answer of an earlier request',
    schema: { type: 'string' },
    example: 'true',
  },
  ETag: {
    description: 'Tag of this very answer, for If-None-Match',
    schema: { type: 'string' },
    example: '"pZGm1Av0IEBKARczz7exkNYsZb8"',
  },
  'Content-Language': { description: 'Language of the document', schema: { type: 'string' }, example: 'en' },
  'Preference-Applied': { description: 'The wait that was applied', schema: { type: 'string' }, example: 'wait=30' },
  'Content-Disposition': {
    description: 'Always an attachment',
    schema: { type: 'string' },
    example: 'attachment; filename="mask-01997f2f-0b52-7c41-9d3e-2a6f8c1e7b90.png"',
  },
} as const;

export type AnswerHeader = keyof typeof ANSWER_HEADERS;
