import type * as Swagger from '@nestjs/swagger';

type Name =
  | 'ApiBody'
  | 'ApiConsumes'
  | 'ApiExcludeController'
  | 'ApiExtension'
  | 'ApiHeader'
  | 'ApiOperation'
  | 'ApiParam'
  | 'ApiQuery'
  | 'ApiResponse'
  | 'ApiSecurity'
  | 'ApiTags';
type Factory = (...values: unknown[]) => (...target: unknown[]) => unknown;

/** Applied in the order in which they are written, as some add to others. */
const unsaid: ((swagger: typeof Swagger) => void)[] = [];

/** Keeps the descriptions of a route until the document is read. */
function later<N extends Name>(name: N): (typeof Swagger)[N] {
  const factory: Factory =
    (...values) =>
    (...target) =>
      void unsaid.push((swagger) => (swagger[name] as Factory)(...values)(...target));
  // A decorator of any shape: what it takes is checked where it is written, as that of @nestjs/swagger.
  return factory as unknown as (typeof Swagger)[N];
}

export const ApiBody = later('ApiBody');
export const ApiConsumes = later('ApiConsumes');
export const ApiExcludeController = later('ApiExcludeController');
export const ApiExtension = later('ApiExtension');
export const ApiHeader = later('ApiHeader');
export const ApiOperation = later('ApiOperation');
export const ApiParam = later('ApiParam');
export const ApiQuery = later('ApiQuery');
export const ApiResponse = later('ApiResponse');
export const ApiSecurity = later('ApiSecurity');
export const ApiTags = later('ApiTags');

/** Descriptions that are worked out when the document is read: the schemas and examples of all routes are a tenth of the start. */
export function describedLater(describe: () => readonly MethodDecorator[]): MethodDecorator {
  return (...target) =>
    void unsaid.push(() => {
      for (const decorate of describe()) decorate(...target);
    });
}

/**
 * Loads @nestjs/swagger and applies the decorators above. Reading the library is a tenth of the start, and only the
 * document needs it, so routes are described with these decorators of the same names and never with its own.
 */
export async function openSwagger(): Promise<typeof Swagger> {
  const swagger = await import('@nestjs/swagger');
  sayAll(swagger);
  return swagger;
}

/** What one of them describes comes before the next. */
function sayAll(swagger: typeof Swagger): void {
  for (const say of unsaid.splice(0)) {
    say(swagger);
    sayAll(swagger);
  }
}
