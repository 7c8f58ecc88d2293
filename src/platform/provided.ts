import type { DiscoveryService } from '@nestjs/core';

/**
 * Every provider of the application that is a `kind`. A module registers one by providing it. To be called once the
 * application is complete.
 */
export function provided<T extends object>(
  discovery: Pick<DiscoveryService, 'getProviders'>,
  kind: abstract new (...args: never[]) => T,
): T[] {
  const found = new Map<unknown, T>();
  for (const { instance } of discovery.getProviders() as readonly { readonly instance: unknown }[]) {
    if (!(instance instanceof kind)) continue;
    const known = found.get(instance.constructor);
    // Two instances would do the same work twice.
    if (known !== undefined && known !== instance)
      throw new Error(`${instance.constructor.name} is provided by two modules. Provide it in one, and import that.`);
    found.set(instance.constructor, instance);
  }
  return [...found.values()];
}
