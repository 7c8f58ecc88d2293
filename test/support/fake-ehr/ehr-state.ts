import { AccessTokens } from './access-tokens.js';
import { Chart } from './chart.js';
import { DIALECTS, type Dialect, type DialectRules, type Interaction, type TypeRules } from './dialects.js';
import type { MappedRow } from './surroundings.js';

/** One call as it was answered; no header and no body of it is kept. */
export interface AnsweredCall {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly status: number;
}

/** What the parts of one EHR share, and what a test changes while it runs. */
export class EhrState {
  readonly chart: Chart;
  readonly tokens: AccessTokens;
  readonly calls: AnsweredCall[] = [];
  onCall: (call: AnsweredCall) => void = () => undefined;
  /** What callers did that no careful client does, in words. */
  readonly objections: string[] = [];
  readonly mappedRows: MappedRow[] = [];
  /** Most entries of one page of a search. */
  pageSize = 20;
  /** Without tokens, as a server in a closed network is set up. */
  isOpen = false;
  /** Whether the condition of a create sees this `Type/id` already. */
  isIndexed: (reference: string) => boolean = () => true;
  /** No version is answered or read, and none is asked of an update. */
  namesNoVersions = false;
  /** How a moment is kept that was sent. */
  keptMoment: (moment: string) => string = (moment) => moment;
  private readonly withdrawn = new Set<string>();

  constructor(
    public dialect: Dialect,
    readonly now: () => number,
  ) {
    this.chart = new Chart(now);
    this.tokens = new AccessTokens(now);
  }

  get rules(): DialectRules {
    return DIALECTS[this.dialect];
  }

  /** Notes a call. */
  answered(call: AnsweredCall): void {
    this.calls.push(call);
    this.onCall(call);
  }

  /** Takes an interaction of a type back, or conditional creates, as an upgrade of the EHR may. */
  withdraw(type: string, interaction: Interaction | 'conditional-create'): void {
    this.withdrawn.add(`${type}.${interaction}`);
  }

  /** Gives back what was withdrawn. */
  offer(type: string, interaction: Interaction | 'conditional-create'): void {
    this.withdrawn.delete(`${type}.${interaction}`);
  }

  /** What is offered of a type now; undefined for types that are not served. */
  typeRules(type: string): TypeRules | undefined {
    const rules = Object.hasOwn(this.rules.types, type) ? this.rules.types[type] : undefined;
    if (rules === undefined) return undefined;
    return {
      ...rules,
      ...(this.namesNoVersions ? { hidesVersions: true, needsIfMatch: false } : {}),
      interactions: rules.interactions.filter((one) => !this.withdrawn.has(`${type}.${one}`)),
      conditionalCreate: rules.conditionalCreate === true && !this.withdrawn.has(`${type}.conditional-create`),
    };
  }
}
