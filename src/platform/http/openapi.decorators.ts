import type * as Swagger from '@nestjs/swagger';

type Name =
  | 'ApiBody'
  | 'ApiConsumes'
  | 'ApiExcludeController'
  | 'ApiHeader'
  | 'ApiOperation'
  | 'ApiParam'
  | 'ApiQuery'
  | 'ApiResponse'
  | 'ApiSecurity'
  | 'ApiTags';
type Factory = (...wish: unknown[]) => (...target: unknown[]) => unknown;

/** In the order in which they stand, as some add to what others have said. */
const unsaid: ((swagger: typeof Swagger) => void)[] = [];

/** Keeps what is said of a route until somebody wants to read it. */
function later<N extends Name>(name: N): (typeof Swagger)[N] {
  const factory: Factory =
    (...wish) =>
    (...target) =>
      void unsaid.push((swagger) => (swagger[name] as Factory)(...wish)(...target));
  return factory as unknown as (typeof Swagger)[N];
}

export const ApiBody = later('ApiBody');
export const ApiConsumes = later('ApiConsumes');
export const ApiExcludeController = later('ApiExcludeController');
export const ApiHeader = later('ApiHeader');
export const ApiOperation = later('ApiOperation');
export const ApiParam = later('ApiParam');
export const ApiQuery = later('ApiQuery');
export const ApiResponse = later('ApiResponse');
export const ApiSecurity = later('ApiSecurity');
export const ApiTags = later('ApiTags');

/**
 * @nestjs/swagger, with all that the decorators above say of the routes. Reading it is a tenth of the start, and only the document
 * needs it: routes are described with these decorators of the same names, never with the library's own.
 */
export async function openSwagger(): Promise<typeof Swagger> {
  const swagger = await import('@nestjs/swagger');
  for (const say of unsaid.splice(0)) say(swagger);
  return swagger;
}
