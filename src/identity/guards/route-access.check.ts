import { Injectable, type OnModuleInit } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer, Reflector } from '@nestjs/core';
import { ROUTE_ACCESS } from '../../platform/http/route-access.js';

type Constructor = abstract new (...given: never[]) => unknown;

/**
 * Stops the start if a route has none of RequiresScope, RequiresKey, PublicRoute and AdminRoute, so that none is open
 * by oversight.
 */
@Injectable()
export class RouteAccessCheck implements OnModuleInit {
  constructor(
    private readonly modules: ModulesContainer,
    private readonly reflector: Reflector,
  ) {}

  onModuleInit(): void {
    const open = [...this.modules.values()].flatMap((module) =>
      [...module.controllers.values()].flatMap(({ metatype }) => this.routesWithoutAccess(metatype as Constructor)),
    );
    if (open.length > 0)
      throw new Error(
        `These routes say neither RequiresScope, RequiresKey, PublicRoute nor AdminRoute: ${open.join(', ')}`,
      );
  }

  private routesWithoutAccess(controller: Constructor): string[] {
    const prototype = controller.prototype as Record<string, () => unknown>;
    return new MetadataScanner()
      .getAllMethodNames(prototype)
      .filter((name) => Reflect.hasMetadata(METHOD_METADATA, prototype[name] as object))
      .filter(
        (name) =>
          this.reflector.getAllAndOverride(ROUTE_ACCESS, [prototype[name] as () => unknown, controller as never]) ===
          undefined,
      )
      .map((name) => `${controller.name}.${name}`);
  }
}
