import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import type { ErrorCode } from '../../core/errors/catalogue.js';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { PROBLEM_STATUS } from './problem-status.js';
import { toProblem } from './problem.js';

const PROBLEM_SCHEMA = {
  type: 'object' as const,
  description: 'RFC 9457 problem; `code` is stable.',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId'],
  properties: {
    type: { type: 'string' as const },
    title: { type: 'string' as const },
    status: { type: 'integer' as const },
    detail: { type: 'string' as const },
    instance: { type: 'string' as const },
    code: { type: 'string' as const },
    requestId: { type: 'string' as const },
    errors: { type: 'array' as const, items: { type: 'object' as const, properties: { pointer: { type: 'string' as const }, detail: { type: 'string' as const } } } },
  },
};

/** Lists in the OpenAPI document the errors that a route answers with, each with an example, by status. `path` stands in the examples. */
export function DescribesRefusals(path: string, ...codes: readonly ErrorCode[]): MethodDecorator {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const status = PROBLEM_STATUS[new SuturaError(code).kind];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return applyDecorators(
    ...[...byStatus].map(([status, group]) =>
      ApiResponse({
        status,
        description: group.map((code) => `\`${code}\``).join(', '),
        content: {
          'application/problem+json': {
            schema: PROBLEM_SCHEMA,
            examples: Object.fromEntries(group.map((code) => [code, { value: toProblem(new SuturaError(code), { requestId: '01997f2e-0000-7000-8000-00000000beef', url: path }) }])),
          },
        },
      }),
    ),
  );
}
