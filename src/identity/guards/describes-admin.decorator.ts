import { z } from 'zod';
import type { ErrorCode } from '../../core/errors/catalogue.js';
import {
  ApiBody,
  ApiHeader,
  ApiOperation,
  ApiParam,
  ApiQuery,
  ApiResponse,
  ApiTags,
  describedLater,
} from '../../platform/http/openapi.decorators.js';
import { DescribesRefusals } from '../../platform/http/refusals.decorator.js';

/** The ids of the examples in the document. */
export const ADMIN_EXAMPLE_IDS = {
  organizationId: '01997f2e-1111-7000-8000-000000000001',
  keyId: '01997f2e-2222-7000-8000-000000000002',
  clientId: '01997f2e-4444-7000-8000-000000000004',
} as const;

interface AdminOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly body?: z.ZodType;
  /** Ids in the path, by name, with an example. Default: the ids that the refusals name. */
  readonly inPath?: Readonly<Record<string, string>>;
  /** Query parameters, by name, with their meaning. */
  readonly query?: Readonly<Record<string, string>>;
  readonly example?: unknown;
  readonly status: number;
  /** An example; null for no body. */
  readonly answer: unknown;
  /** Of the answer, or of each of its `items`; absent: what the example suggests. */
  readonly schema?: z.ZodType;
  readonly isList?: boolean;
  readonly takesIfMatch?: boolean;
  /** Without a session or a token, as logging in is. */
  readonly isOpen?: boolean;
  readonly refusals?: readonly ErrorCode[];
}

/** One admin operation in the OpenAPI document. */
export function DescribesAdmin(operation: AdminOperation): MethodDecorator {
  return describedLater(() => descriptionsOf(operation));
}

function descriptionsOf(operation: AdminOperation): readonly MethodDecorator[] {
  const { operationId, summary, body, query = {}, status, answer, refusals = [] } = operation;
  const invalid: ErrorCode[] =
    body === undefined
      ? Object.keys(query).length === 0
        ? []
        : ['request.invalid']
      : ['request.invalid', 'request.content_type', 'request.too_large'];
  return [
    ApiTags('admin'),
    ApiOperation({
      operationId,
      summary,
      description: 'For operators. Answers 404 where there are neither users nor SUTURA_ADMIN_TOKEN.',
      ...(operation.isOpen === true ? { security: [] } : {}),
    }),
    ...inputsOf(operation),
    ApiResponse({
      status,
      description: 'Done.',
      ...(answer === null
        ? {}
        : {
            content: {
              'application/json': {
                schema: named(operation, 'Answer', answerSchema(operation)),
                examples: { typical: { value: answer } },
              },
            },
          }),
    }),
    DescribesRefusals(
      '/admin/v1',
      'auth.missing',
      'auth.invalid',
      'auth.session',
      'auth.csrf',
      'auth.role',
      'rate.limited',
      'route.not_found',
      'service.unavailable',
      ...invalid,
      ...refusals,
    ),
  ];
}

/** The name that generators give the type. */
function named({ operationId }: Pick<AdminOperation, 'operationId'>, what: string, schema: Schema): Schema {
  return { ...schema, title: `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}${what}` };
}

function inputsOf({
  operationId,
  inPath,
  refusals = [],
  query = {},
  body,
  example,
  takesIfMatch = false,
}: AdminOperation): MethodDecorator[] {
  return [
    ...Object.entries(inPath ?? idsOf(refusals)).map(([name, id]) =>
      ApiParam({ name, schema: { type: 'string', format: 'uuid' }, example: id }),
    ),
    ...Object.entries(query).map(([name, description]) =>
      ApiQuery({ name, required: false, description, schema: { type: 'string' } }),
    ),
    ...(takesIfMatch ? [ApiHeader({ name: 'if-match', required: false, schema: { type: 'string' } })] : []),
    ...(body === undefined
      ? []
      : [
          ApiBody({
            schema: named({ operationId }, 'Request', toOpenApi(body, 'input')),
            examples: { typical: { value: example } },
          }),
        ]),
  ];
}

function idsOf(refusals: readonly ErrorCode[]): Readonly<Record<string, string>> {
  return {
    ...(refusals.includes('client.not_found') ? { clientId: ADMIN_EXAMPLE_IDS.clientId } : {}),
    ...(refusals.includes('key.not_found') ? { keyId: ADMIN_EXAMPLE_IDS.keyId } : {}),
    ...(refusals.includes('organization.not_found') ? { organizationId: ADMIN_EXAMPLE_IDS.organizationId } : {}),
  };
}

type Schema = Extract<Parameters<typeof ApiBody>[0], { schema: unknown }>['schema'];

function answerSchema({ operationId, schema, isList = false, answer }: AdminOperation): Schema {
  if (schema === undefined) return shapeOf(answer);
  const shown = toOpenApi(schema, 'output');
  return isList
    ? {
        type: 'object',
        properties: { items: { type: 'array', items: named({ operationId }, 'Item', shown) } },
        required: ['items'],
      }
    : shown;
}

/** OpenAPI 3.1 schemas are JSON Schema 2020-12, as zod writes it. */
function toOpenApi(schema: z.ZodType, io: 'input' | 'output'): Schema {
  return Object.fromEntries(
    Object.entries(
      z.toJSONSchema(schema, {
        io,
        ...(io === 'output' ? { override: asAnswer, unrepresentable: 'any' } : { override: asInput }),
      }),
    ).filter(([name]) => name !== '$schema'),
  ) as Schema;
}

/** A default that is an object: generators of Go write what does not compile. */
function asInput({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (typeof jsonSchema.default === 'object' && jsonSchema.default !== null && !Array.isArray(jsonSchema.default))
    delete jsonSchema.default;
}

/** Answers may gain fields. */
function asAnswer({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  asInput({ jsonSchema });
  // Anything or null is anything; generators of Java and Go look for a type AnyOf.
  if (jsonSchema.anyOf?.some((one) => typeof one === 'object' && Object.keys(one).length === 0) === true)
    delete jsonSchema.anyOf;
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  delete jsonSchema.readOnly;
}

/** The schema that an example answer suggests: names and types. A null value gets no type, as it may be any. */
function shapeOf(value: unknown): Schema {
  if (Array.isArray(value)) return { type: 'array', items: shapeOfEach(value) };
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    return {
      type: 'object',
      properties: Object.fromEntries(entries.map(([name, inner]) => [name, shapeOf(inner)])),
      required: entries.map(([name]) => name),
    };
  }
  if (value === null) return { description: 'null where there is none' };
  return {
    type:
      typeof value === 'number'
        ? Number.isInteger(value)
          ? 'integer'
          : 'number'
        : typeof value === 'boolean'
          ? 'boolean'
          : 'string',
  };
}

/** Of items that need not all have the same fields. */
function shapeOfEach(items: readonly unknown[]): Schema {
  const objects = items.filter(
    (item): item is object => typeof item === 'object' && item !== null && !Array.isArray(item),
  );
  if (objects.length !== items.length || objects.length === 0) return shapeOf(items[0]);
  const entries = objects.flatMap((item) => Object.entries(item));
  const names = [...new Set(entries.map(([name]) => name))];
  return {
    type: 'object',
    properties: Object.fromEntries(
      names.map((name) => {
        const values: readonly unknown[] = entries.filter(([one]) => one === name).map(([, value]) => value);
        return [
          name,
          values.every((value) => typeof value === 'object' && !Array.isArray(value))
            ? shapeOfEach(values)
            : shapeOf(values[0]),
        ];
      }),
    ),
    required: names.filter((name) => objects.every((item) => name in item)),
  };
}
