import type { z } from 'zod';

interface ZodDefinition {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly coerce?: boolean;
}

/** The fields of an object, of all members of a union of objects. */
export function shapeOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> {
  const { innerType, options } = schema.def as ZodDefinition;
  if (innerType !== undefined) return shapeOf(innerType);
  if (options !== undefined) return Object.assign({}, ...options.map(shapeOf)) as Record<string, z.ZodType>;
  return (schema as z.ZodObject).shape ?? {};
}

/** What a field holds; `text` for a number that its schema reads from text by itself. */
export function kindOf(schema: z.ZodType): { readonly kind: string; readonly isNullable: boolean } {
  const { type, innerType, coerce = false } = schema.def as ZodDefinition;
  if (innerType === undefined) return { kind: coerce ? 'text' : type, isNullable: false };
  const { kind, isNullable } = kindOf(innerType);
  return { kind, isNullable: isNullable || type === 'nullable' };
}
