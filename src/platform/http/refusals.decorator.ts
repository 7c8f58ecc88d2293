import type { ErrorCode } from '../../core/errors/catalogue.js';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { ApiExtension, ApiResponse, describedLater } from './openapi.decorators.js';
import { PROBLEM_STATUS, toProblem } from './problem.js';

/** The schema of every refusal, under its name in the document. */
const PROBLEM_SCHEMA = { $ref: '#/components/schemas/Problem' };

/**
 * Lists the errors of a route in the OpenAPI document by status, each with an example. `path` appears in the
 * examples.
 */
export function DescribesRefusals(path: string, ...codes: readonly ErrorCode[]): MethodDecorator {
  return describedLater(() => descriptionsOf(path, codes));
}

function descriptionsOf(path: string, codes: readonly ErrorCode[]): readonly MethodDecorator[] {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const status = PROBLEM_STATUS[new SuturaError(code).kind];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return [
    // For programs: the same codes as in the examples of the answers.
    ApiExtension('x-error-codes', [...new Set(codes)].sort()),
    ...[...byStatus].map(([status, group]) =>
      ApiResponse({
        status,
        description: group.map((code) => `\`${code}\``).join(', '),
        content: {
          'application/problem+json': {
            schema: PROBLEM_SCHEMA,
            examples: Object.fromEntries(
              group.map((code) => [
                code,
                {
                  value: toProblem(new SuturaError(code), {
                    requestId: '01997f2e-0000-7000-8000-00000000beef',
                    url: path,
                  }),
                },
              ]),
            ),
          },
        },
      }),
    ),
  ];
}
