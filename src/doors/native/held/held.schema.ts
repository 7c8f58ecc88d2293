import { z } from 'zod';
import { HELD_ACTIONS, HELD_DOORS, HELD_REASONS, type HeldItem } from '../../../core/held/held-item.js';
import { ENVIRONMENTS } from '../../../core/tenancy/tenant.js';
import { plainText } from '../../../platform/http/text.schema.js';
import { limitText, listFields } from '../paging/page.js';

const LONGEST_NOTE = 500;
const LONGEST_URI = 255;
const ids = z.array(z.string());

export const heldQuerySchema = z.strictObject({
  reason: z.enum(HELD_REASONS).optional().describe('For this reason only.'),
  olderThanS: z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number of seconds')
    .meta({ type: 'integer', minimum: 0 })
    .optional()
    .describe('Only what has waited for so many seconds.'),
  limit: limitText.optional().describe('Items on a page.'),
  cursor: z.string().max(200).optional().describe('nextCursor of the page before.'),
});
export type HeldQuery = z.output<typeof heldQuerySchema>;

export const heldSchema = z
  .object({
    id: z.string(),
    environment: z.enum(ENVIRONMENTS),
    reason: z.enum(HELD_REASONS),
    since: z.string().meta({ format: 'date-time' }),
    door: z.enum(HELD_DOORS).nullable().describe('null: it came through several.'),
    came: z
      .object({
        messageIds: ids,
        resources: ids.describe('Type/id'),
        jobIds: ids,
        imageIds: ids,
        patientIds: ids,
        orders: ids,
      })
      .describe('Ids of what came and of what it touches, at most 100 of each sort.'),
    waitsFor: z.string().describe('In words.'),
    actions: z.array(z.enum(HELD_ACTIONS)).describe('What can be done; none: it goes on by itself.'),
  })
  .meta({ id: 'Held' });
export type HeldView = z.output<typeof heldSchema>;

export const heldListSchema = z.object(listFields(heldSchema, 'Oldest first.')).meta({ id: 'HeldList' });

export const resolutionSchema = z
  .strictObject({
    action: z.enum(HELD_ACTIONS).describe('One of the item’s.'),
    authority: plainText(LONGEST_URI).optional().describe('With another: whose number it is, as a URI.'),
    to: plainText(LONGEST_URI).optional().describe('With link: what it belongs to, as Type/id.'),
    note: plainText(LONGEST_NOTE).optional().describe('Why, for the history.'),
  })
  .meta({ id: 'HeldResolution' });
export type ResolutionBody = z.output<typeof resolutionSchema>;

/** All schemas that the document names. */
export const HELD_SCHEMAS: readonly z.ZodType[] = [heldSchema, heldListSchema, resolutionSchema];

export function toHeldView({ id, environment, reason, since, door, came, waitsFor, actions }: HeldItem): HeldView {
  const { messageIds, resources, jobIds, imageIds, patientIds, orders } = came;
  return {
    id,
    environment,
    reason,
    since: since.toISOString(),
    door,
    came: {
      messageIds: [...messageIds],
      resources: [...resources],
      jobIds: [...jobIds],
      imageIds: [...imageIds],
      patientIds: [...patientIds],
      orders: [...orders],
    },
    waitsFor,
    actions: [...actions],
  };
}
