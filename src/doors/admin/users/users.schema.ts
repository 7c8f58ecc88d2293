import { z } from 'zod';
import { ROLES } from '../../../core/tenancy/roles.js';
import { readUserName, USER_NAME_RULE } from '../../../core/users/user.js';
import { plainText } from '../../../platform/http/text.schema.js';

const MOST_ROLES = 200;
/** Longer texts are refused before anything is computed of them. */
const LONGEST_PASSWORD = 1024;

const name = z.string().transform((text, context) => {
  const read = readUserName(text);
  if (read !== null) return read;
  context.addIssue({ code: 'custom', message: `must be ${USER_NAME_RULE}` });
  return z.NEVER;
});
const displayName = plainText(255);
const roles = z
  .array(z.strictObject({ organizationId: z.uuid(), role: z.enum(ROLES) }))
  .max(MOST_ROLES)
  .refine((all) => new Set(all.map(({ organizationId }) => organizationId)).size === all.length, {
    error: 'must not name an organization twice',
  });
export const password = z.string().min(1).max(LONGEST_PASSWORD);
export const oneTimeCode = z.string().min(1).max(32);

/** `displayName`: the name, where it is left out. */
export const NEW_USER = z.strictObject({
  name,
  displayName: displayName.optional(),
  installationAdmin: z.boolean().default(false),
  roles: roles.default([]),
});

/** `roles` take the place of those that there were. */
export const USER_CHANGE = z
  .strictObject({
    displayName: displayName.optional(),
    installationAdmin: z.boolean().optional(),
    roles: roles.optional(),
    disabled: z.boolean().optional(),
  })
  .refine((change) => Object.keys(change).length > 0, { error: 'must change something' });

export const NEW_ORGANIZATION_USER = z.strictObject({
  name,
  displayName: displayName.optional(),
  role: z.enum(ROLES),
});

/** `role` null takes it away. */
export const ORGANIZATION_USER_CHANGE = z
  .strictObject({ role: z.enum(ROLES).nullable().optional(), disabled: z.boolean().optional() })
  .refine((change) => Object.keys(change).length > 0, { error: 'must change something' });

export const LOGIN = z.strictObject({ name: z.string().min(1).max(256), password, code: oneTimeCode.optional() });
export const SETUP = z.strictObject({ setupCode: z.string().min(1).max(128), password });

export type LoginInput = z.output<typeof LOGIN>;
export type SetupInput = z.output<typeof SETUP>;
