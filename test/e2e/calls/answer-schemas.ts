import { z } from 'zod';
import { ADMIN_GROUPS } from '../../../src/doors/admin/admin.module.js';
import { HL7_ADMIN_GROUPS } from '../../../src/doors/admin/hl7v2/actions/hl7-groups.js';

/** The schema of each admin action's answer by its route. It passes over fields that it does not know, so that a comparison finds them. */
const SCHEMAS = new Map(
  [...ADMIN_GROUPS, ...HL7_ADMIN_GROUPS].flatMap(({ actions }) =>
    actions.map(({ route, answers, lists }): [string, z.ZodType | undefined] => [
      route.replace(' ', ' /admin/v1'),
      lists === undefined ? answers : z.object({ items: z.array(lists) }),
    ]),
  ),
);

/** null: the route has no answer, or is no admin action. */
export function schemaOfAnswer(route: string): z.ZodType | null {
  return SCHEMAS.get(route) ?? null;
}
