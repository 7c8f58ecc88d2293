import { z } from 'zod';

/** A reference to a schema that the document names. */
export function schemaReference(schema: z.ZodType): { $ref: string } {
  return { $ref: `#/components/schemas/${nameOf(schema)}` };
}

/** A schema without a name, for parameters. */
export function inlineSchema(schema: z.ZodType): object {
  return without(z.toJSONSchema(schema, { io: 'input', override: asPlainArray }), '$schema');
}

/**
 * A tuple of one kind as an array of that length: it says the same, and generators of clients (openapi-python-client, OpenAPI Generator) read no
 * schema where `items` is false.
 */
export function asPlainArray({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  const { prefixItems, items } = jsonSchema;
  const [first] = prefixItems ?? [];
  if (prefixItems === undefined || first === undefined || items !== false) return;
  if (prefixItems.some((one) => JSON.stringify(one) !== JSON.stringify(first)))
    throw new Error('A tuple of several kinds has no form in the OpenAPI document that generators read.');
  delete jsonSchema.prefixItems;
  Object.assign(jsonSchema, { items: first, minItems: prefixItems.length, maxItems: prefixItems.length });
}

/** The name of a schema in the document. */
export function nameOf(schema: z.ZodType): string {
  const id = schema.meta()?.id;
  if (id === undefined) throw new Error('A schema of the document needs an id.');
  return id;
}

export function without(json: object, ...names: readonly string[]): object {
  return Object.fromEntries(Object.entries(json).filter(([name]) => !names.includes(name)));
}
