import { applyDecorators, UseGuards } from '@nestjs/common';
import type { ApiResponseSchemaHost } from '@nestjs/swagger';
import type { z } from 'zod';
import type { ErrorCode } from '../../../core/errors/catalogue.js';
import { AcceptGuard, Produces } from '../../../platform/http/accept.guard.js';
import {
  ApiBody,
  ApiHeader,
  ApiOperation,
  ApiParam,
  ApiQuery,
  ApiResponse,
  ApiTags,
  describedLater,
} from '../../../platform/http/openapi.decorators.js';
import { DescribesRefusals } from '../../../platform/http/refusals.decorator.js';
import { Retiring, type Retirement } from '../../../platform/http/retiring.decorator.js';
import { ANSWER_HEADERS, type AnswerHeader } from './answer-headers.js';
import { inlineSchema, schemaReference } from './json-schema.js';

export interface DescribedAnswer {
  readonly status: number;
  readonly description: string;
  readonly schema?: z.ZodType;
  /** By name. */
  readonly examples?: Readonly<Record<string, unknown>>;
  /** Media types, where the answer is bytes, or may be. */
  readonly bytes?: readonly string[];
  readonly headers?: readonly AnswerHeader[];
}

export interface DescribedParameter {
  readonly name: string;
  readonly description: string;
  readonly example: string;
}

export interface DescribedRoute {
  readonly operationId: string;
  readonly tag:
    | 'images'
    | 'analysis'
    | 'follow-up'
    | 'calibration'
    | 'models'
    | 'usage'
    | 'webhooks'
    | 'events'
    | 'held'
    | 'samples'
    | 'sandbox';
  readonly summary: string;
  readonly description?: string;
  /** The path of the examples of errors. */
  readonly path: string;
  readonly pathParameters?: readonly DescribedParameter[];
  readonly query?: z.ZodObject;
  /** A family of parameters, `family.KEY=VALUE`. */
  readonly queryFamily?: DescribedParameter;
  readonly requestHeaders?: readonly DescribedParameter[];
  readonly body?: { readonly schema: z.ZodType; readonly example: unknown; readonly required: boolean };
  readonly answers: readonly DescribedAnswer[];
  /** Besides those that every route of this door has. */
  readonly errors: readonly ErrorCode[];
  readonly retirement?: Retirement;
}

const EVERYWHERE: readonly ErrorCode[] = [
  'auth.missing',
  'auth.invalid',
  'auth.revoked',
  'auth.expired',
  'auth.network',
  'auth.origin',
  'auth.person',
  'auth.scope',
  'rate.limited',
  'request.uri_too_long',
  'request.headers_too_large',
  'request.partial',
  'request.content_type',
  'data.conflict',
  'data.unusable',
  'data.newer_release',
  'service.internal',
  'service.unavailable',
];

/** Everything that a route of this door carries besides its path and its scope: checks of the Accept header, and its whole page in the OpenAPI document. */
export function ApiRoute(route: DescribedRoute): MethodDecorator {
  const bytes = route.answers.flatMap((answer) => answer.bytes ?? []);
  const hasJson = route.answers.some((answer) => answer.schema !== undefined);
  return applyDecorators(
    UseGuards(AcceptGuard),
    Produces(...(hasJson ? ['application/json'] : []), ...bytes),
    describedLater(() => [
      ApiTags(route.tag),
      ApiOperation({
        operationId: route.operationId,
        summary: route.summary,
        ...(route.description === undefined ? {} : { description: route.description }),
        ...(route.retirement === undefined ? {} : { deprecated: true }),
      }),
      ...inputsOf(route),
      ...route.answers.map(describeAnswer),
      DescribesRefusals(route.path, ...errorsOf(route, hasJson || bytes.length > 0)),
    ]),
    ...(route.retirement === undefined ? [] : [Retiring(route.retirement)]),
  );
}

function errorsOf(route: DescribedRoute, hasContent: boolean): ErrorCode[] {
  const ofBody: ErrorCode[] =
    route.body === undefined ? [] : ['request.invalid', 'request.too_large', 'request.timeout', 'service.busy'];
  const ofInputs: ErrorCode[] =
    route.query === undefined && route.requestHeaders === undefined ? [] : ['request.invalid'];
  // What lies in the store is opened by its key.
  const ofBytes: ErrorCode[] = route.answers.some(({ bytes }) => bytes !== undefined)
    ? ['storage.key_missing', 'storage.altered']
    : [];
  const ofContent: ErrorCode[] = hasContent ? ['request.not_acceptable'] : [];
  return [...new Set<ErrorCode>([...route.errors, ...ofBody, ...ofInputs, ...ofBytes, ...ofContent, ...EVERYWHERE])];
}

function inputsOf(route: DescribedRoute): MethodDecorator[] {
  const text = { type: 'string' } as const;
  return [
    ...(route.pathParameters ?? []).map((parameter) => ApiParam({ ...parameter, schema: text })),
    ...(route.requestHeaders ?? []).map((parameter) => ApiHeader({ ...parameter, required: false, schema: text })),
    ...(route.query === undefined ? [] : describeQuery(route.query)),
    ...(route.queryFamily === undefined ? [] : [describeFamily(route.queryFamily)]),
    ...(route.body === undefined
      ? []
      : [
          ApiBody({
            required: route.body.required,
            schema: schemaReference(route.body.schema),
            examples: { request: { value: route.body.example } },
          }),
        ]),
  ];
}

function describeQuery(schema: z.ZodObject): MethodDecorator[] {
  return Object.entries(schema.shape).map(([name, field]) => {
    const { description, ...json } = inlineSchema(field as z.ZodType) as { description?: string };
    return ApiQuery({ name, required: false, description: description ?? '', schema: json });
  });
}

/** As an object whose every property is a parameter of its own: OpenAPI knows no other form for names that are not known beforehand. */
function describeFamily({ name, description, example }: DescribedParameter): MethodDecorator {
  return ApiQuery({
    name,
    required: false,
    description,
    style: 'form',
    explode: true,
    schema: { type: 'object', additionalProperties: { type: 'string' } },
    example: { [`${name}.case`]: example },
  });
}

function describeAnswer(answer: DescribedAnswer): MethodDecorator {
  const content = contentOf(answer);
  return ApiResponse({
    status: answer.status,
    description: answer.description,
    ...(content === undefined ? {} : { content }),
    ...(answer.headers === undefined
      ? {}
      : { headers: Object.fromEntries(answer.headers.map((name) => [name, { ...ANSWER_HEADERS[name] }])) }),
  });
}

function jsonContentOf({ schema, examples }: DescribedAnswer): ApiResponseSchemaHost['content'] {
  if (schema === undefined) return {};
  const named = Object.fromEntries(Object.entries(examples ?? {}).map(([name, value]) => [name, { value }]));
  return { 'application/json': { schema: schemaReference(schema), examples: named } };
}

function contentOf(answer: DescribedAnswer): ApiResponseSchemaHost['content'] {
  if (answer.schema === undefined && answer.bytes === undefined) return undefined;
  const bytes = (answer.bytes ?? []).map(
    (mediaType) => [mediaType, { schema: { type: 'string', format: 'binary' } }] as const,
  );
  return { ...jsonContentOf(answer), ...Object.fromEntries(bytes) };
}
