import { z } from 'zod';
import { HELD_ACTIONS, HELD_DOORS, HELD_REASONS, type HeldItem } from '../../../core/held/held-item.js';
import { ADMIN_EXAMPLE_IDS } from '../../../identity/index.js';
import { id, list, moment, owner } from '../action/answer-fields.js';

export const HELD_VIEW = z.object({
  id: z.string(),
  ...owner,
  reason: z.enum(HELD_REASONS),
  since: moment,
  door: z.enum(HELD_DOORS).nullable().describe('null: it came through several.'),
  came: z
    .object({
      messageIds: list(id),
      resources: list(z.string()),
      jobIds: list(id),
      imageIds: list(id),
      patientIds: list(id),
      orders: list(id),
    })
    .describe('Ids of what came and of what it touches, at most 100 of each sort.'),
  waitsFor: z.string(),
  actions: list(z.enum(HELD_ACTIONS)).describe('What can be done; none: it goes on by itself.'),
});
export type HeldView = z.output<typeof HELD_VIEW>;

export const HELD_LIST_VIEW = z.object({
  items: list(HELD_VIEW).describe('Oldest first.'),
  nextCursor: z.string().nullable().describe('For the next page; null at the end.'),
});

export function toHeldView({ since, ...rest }: HeldItem): HeldView {
  return { ...rest, since: since.toISOString() };
}

/** Plainly invented, for the OpenAPI document. */
export const HELD_EXAMPLE: HeldView = {
  id: '01997f2e-8888-7000-8000-000000000008',
  organizationId: ADMIN_EXAMPLE_IDS.organizationId,
  environment: 'live',
  reason: 'identity_conflict',
  since: '2026-03-15T08:40:05.000Z',
  door: 'hl7v2',
  came: {
    messageIds: ['01997f2e-8888-7000-8000-000000000009'],
    resources: [],
    jobIds: [],
    imageIds: [],
    patientIds: ['01997f2e-8888-7000-8000-00000000000a'],
    orders: [],
  },
  waitsFor: 'Whether it is the person of the record, whose birth date or given names differ.',
  actions: ['same', 'another', 'discard'],
};
