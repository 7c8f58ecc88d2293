import type { SearchParameter } from '@medplum/fhirtypes';
import type { R4Definitions } from '../../definitions/r4-definitions.js';
import { compileExpression, compilePath, splitPath, type ElementPath } from './compile-path.js';
import { typeParameters } from '../../types/type-parameters.js';
import { definitionOf, parametersOf, type ParameterType, targetTypesOf } from './search-parameters.js';

/** A composite of a code and a quantity, such as component-code-value-quantity: both are of one element. */
export interface CodedQuantity {
  /** The key of the plain quantity parameter of the same element: they share their rows. */
  readonly key: string;
  readonly base: ElementPath;
  readonly code: ElementPath;
  readonly quantity: ElementPath;
}

/** A search parameter of one type, compiled. */
export interface CompiledParameter {
  readonly name: string;
  readonly type: ParameterType;
  readonly paths: readonly ElementPath[];
  /** Types that a reference can point at. */
  readonly targets: readonly string[];
  readonly composite?: CodedQuantity;
  /** The type's main date: in columns of the resource instead of index rows. */
  readonly isClinicalDate: boolean;
}

export interface CompiledType {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, CompiledParameter>;
  readonly clinicalDate: CompiledParameter | undefined;
}

/** Search parameters with compiled expressions, each type compiled at its first use. One per process. */
export class TypeSearches {
  private readonly types = new Map<string, CompiledType>();

  constructor(private readonly definitions: R4Definitions) {}

  /** undefined for types that are not searched. */
  of(type: string): CompiledType | undefined {
    const known = this.types.get(type);
    if (known !== undefined) return known;
    if (typeParameters(type) === undefined || !this.definitions.ensureType(type)) return undefined;
    const compiled = this.compile(type);
    this.types.set(type, compiled);
    return compiled;
  }

  private compile(type: string): CompiledType {
    const dateName = typeParameters(type)?.clinicalDate;
    const parameters = new Map(
      parametersOf(type).map(({ name }) => [
        name,
        compileParameter(type, definitionOf(type, name)!, name === dateName),
      ]),
    );
    return { type, parameters, clinicalDate: dateName === undefined ? undefined : parameters.get(dateName) };
  }
}

function compileParameter(type: string, definition: SearchParameter, isClinicalDate: boolean): CompiledParameter {
  const base = {
    name: definition.code!,
    type: definition.type as ParameterType,
    targets: targetTypesOf(type, definition.code!),
    isClinicalDate,
  };
  if (definition.type === 'composite') return { ...base, paths: [], composite: compileComposite(type, definition) };
  return { ...base, paths: compileExpression(definition.expression!, type) };
}

function compileComposite(type: string, { expression, component, code }: SearchParameter): CodedQuantity {
  const [coded, measured] = component ?? [];
  if (component?.length !== 2 || !measured!.expression!.includes('Quantity'))
    throw new Error(`The composite search parameter ${code} is not one of a code and a quantity.`);
  const base = compileExpression(expression!, type)[0]!;
  const elementType =
    base.key === type
      ? type
      : `${type}${base.key.slice(type.length + 1).replace(/^./, (letter) => letter.toUpperCase())}`;
  const quantity = compilePath(elementType, splitPath(measured!.expression!), base.key);
  return { key: quantity.key, base, code: compilePath(elementType, splitPath(coded!.expression!), base.key), quantity };
}
