import type { Resource } from '@medplum/fhirtypes';
import { decodeBase64 } from '../../../../platform/turns/base64.js';
import { tryGetDataType } from '../../definitions/medplum-core.js';
import type { R4Definitions } from '../../definitions/r4-definitions.js';
import { allOf, walkOf, within, type Check, type Walk } from '../check.js';
import type { Demands } from '../demands/demands.js';
import { TypeCompiler } from './type-compiler.js';

/**
 * A fast way to "yes": base R4 as checks that are compiled from the definitions, a type at a time when it is first met. It says of a
 * resource that it is certainly valid, which is to say that `checkStructure` finds nothing, or that it is to be looked at closer by that.
 * So it may accept less than `checkStructure`, never more; issues are named by that function alone.
 */
export class QuickCheck {
  private readonly resources = new Map<string, Check>();
  private readonly compiler: TypeCompiler;

  constructor(
    private readonly definitions: R4Definitions,
    private readonly demands: Demands,
  ) {
    this.compiler = new TypeCompiler(definitions, demands, {
      contained: (value, walk, depth) => this.isValidWithin(value, walk, depth, true),
      alone: (value, walk, depth) => this.isValidWithin(value, walk, depth, false),
    });
  }

  /** Never throws for what the value holds. */
  isCertainlyValid(value: unknown): value is Resource {
    try {
      const check = this.find(value);
      if (check === undefined) return false;
      const walk = walkOf(value as Resource);
      return (
        check(value, walk, 0) &&
        new Set(walk.ids).size === walk.ids.length &&
        walk.longTexts.every((text) => decodeBase64(text) !== null)
      );
    } catch {
      // A rule that cannot be evaluated on this resource, which the exact way puts into words.
      return false;
    }
  }

  private isValidWithin(value: unknown, walk: Walk, depth: number, isContained: boolean): boolean {
    const check = this.find(value);
    return check !== undefined && within(walk, value as Resource, isContained, () => check(value, walk, depth + 1));
  }

  private find(value: unknown): Check | undefined {
    const type = typeof value === 'object' && value !== null ? (value as Partial<Resource>).resourceType : undefined;
    if (typeof type !== 'string') return undefined;
    return this.resources.get(type) ?? this.compile(type);
  }

  /** Undefined for a type that R4 does not have, or that cannot stand alone. */
  private compile(type: string): Check | undefined {
    const schema = this.definitions.ensureType(type) ? tryGetDataType(type) : undefined;
    if (schema === undefined) return undefined;
    const check = allOf([
      this.compiler.checkOf(schema),
      ...this.demands.ofResource(schema).map((demand) => demand.check),
    ]);
    this.resources.set(type, check);
    return check;
  }
}
