import type { Resource } from '@medplum/fhirtypes';
import { decodeBase64 } from '../../../../platform/turns/base64.js';
import { tryGetDataType } from '../../definitions/medplum-core.js';
import type { R4Definitions } from '../../definitions/r4-definitions.js';
import { allOf, type Check, type Walk } from './check.js';
import { invariantChecks } from './invariant-check.js';
import { TypeCompiler } from './type-compiler.js';

interface CompiledResource {
  readonly structure: Check;
  readonly invariants: Check;
}

/**
 * A fast way to "yes": base R4 as checks that are compiled from the definitions, a type at a time when it is first met. It says of a
 * resource that it is certainly valid, which is to say that `checkStructure` finds nothing, or that it is to be looked at closer by that.
 * So it may accept less than `checkStructure`, never more; issues are named by that function alone.
 */
export class QuickCheck {
  private readonly resources = new Map<string, CompiledResource>();
  private readonly compiler: TypeCompiler;

  constructor(private readonly definitions: R4Definitions) {
    this.compiler = new TypeCompiler(definitions, (value, walk, depth) => this.isValidWithin(value, walk, depth));
  }

  /** Never throws for what the value holds. */
  isCertainlyValid(value: unknown): value is Resource {
    try {
      const compiled = this.find(value);
      if (compiled === undefined) return false;
      const root = value as Resource;
      const walk: Walk = { root, resource: root, longTexts: [] };
      return (
        compiled.structure(root, walk, 0) &&
        compiled.invariants(root, walk, 0) &&
        walk.longTexts.every((text) => decodeBase64(text) !== null)
      );
    } catch {
      // A rule that cannot be evaluated on this resource, which the exact way puts into words.
      return false;
    }
  }

  private isValidWithin(value: unknown, walk: Walk, depth: number): boolean {
    const compiled = this.find(value);
    if (compiled === undefined) return false;
    const around = walk.resource;
    walk.resource = value as Resource;
    const isValid = compiled.structure(value, walk, depth + 1);
    walk.resource = around;
    return isValid;
  }

  private find(value: unknown): CompiledResource | undefined {
    const type = typeof value === 'object' && value !== null ? (value as Partial<Resource>).resourceType : undefined;
    if (typeof type !== 'string') return undefined;
    return this.resources.get(type) ?? this.compile(type);
  }

  /** Undefined for a type that R4 does not have, or that cannot stand alone. */
  private compile(type: string): CompiledResource | undefined {
    const schema = this.definitions.ensureType(type) ? tryGetDataType(type) : undefined;
    if (schema === undefined) return undefined;
    const compiled = {
      structure: this.compiler.checkOf(schema),
      invariants: allOf(invariantChecks(schema.constraints, type, schema)),
    };
    this.resources.set(type, compiled);
    return compiled;
  }
}
