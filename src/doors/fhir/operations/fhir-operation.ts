import type { Parameters } from '@medplum/fhirtypes';
import { hasScope, type Caller, type Scope } from '../../../core/tenancy/api-key.js';
import type { FhirAnswer } from '../call/fhir-call.js';
import { OutcomeError } from '../../../standards/fhir/outcome/outcome-error.js';
import type { ServedType } from '../../../standards/fhir/types/type-table.js';
import type { Language } from '../../../core/report/languages.js';
import type { Preferences } from '../call/preferences.js';

export type OperationLevel = 'system' | 'type' | 'instance';

/** The request of an operation, which opens its transactions itself, so that slow work can stay outside them. */
export interface OperationRequest {
  readonly caller: Caller;
  /** Absolute, as the client addressed it: `https://…/fhir`. */
  readonly base: string;
  readonly requestId: string;
  readonly level: OperationLevel;
  /** The type of the address; null on the system level. */
  readonly type: string | null;
  /** The id of the address, unchecked; null but on the instance level. */
  readonly id: string | null;
  /**
   * The input. For `takes: 'parameters'`: the Parameters that were sent, valid by structure, or of a GET (and of a POST without a body)
   * one `valueString` for each query parameter. For `takes: 'anything'`: the JSON that was sent, unchecked, or undefined without a body.
   */
  readonly input: unknown;
  /** The parameters of the address, for both kinds. */
  readonly query: URLSearchParams;
  readonly preferences: Preferences;
  /** Of texts, by `Accept-Language`; absent: English. */
  readonly language?: Language;
  readonly ifMatch: string | undefined;
  /** The key of `Idempotency-Key`, unquoted; null without one. */
  readonly idempotencyKey: string | null;
}

/**
 * One operation (`$name`), listed in operations.ts. The door has checked scope, level, type and method before it calls; whether the
 * instance exists is the operation's own to say. Refusals are SuturaError or OutcomeError.
 */
export abstract class FhirOperation {
  /** Without its `$`. */
  abstract readonly name: string;
  abstract readonly levels: readonly OperationLevel[];
  /** The types that have it; `any`: each type that is served. */
  abstract readonly types: readonly ServedType[] | 'any';
  /** The scope that a key needs, or of several any one. */
  abstract readonly scope: Scope | readonly Scope[];
  /** GET is only for operations that change nothing (R4 operations.html 3.2.0). */
  abstract readonly affectsState: boolean;
  readonly takes: 'parameters' | 'anything' = 'parameters';
  /** Canonical URL of its OperationDefinition. */
  abstract readonly definition: string;

  /** Whether a caller may use it at all. */
  permits(caller: Caller): boolean {
    return [this.scope].flat().some((scope) => hasScope(caller, scope));
  }

  abstract handle(request: OperationRequest): Promise<FhirAnswer>;
}

/** The Parameters of an operation that takes them. */
export function parametersOf(request: OperationRequest): Parameters {
  return request.input as Parameters;
}

/** `request.invalid` at a parameter of an operation. */
export function refusedParameter(name: string, details: string): OutcomeError {
  return new OutcomeError('request.invalid', [
    {
      severity: 'error',
      code: 'value',
      expression: `Parameters.parameter.where(name = '${name.replace(/[^\w.:-]/g, '')}')`,
      details,
    },
  ]);
}
