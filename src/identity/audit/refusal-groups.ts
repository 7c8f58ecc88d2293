import type { Tenant } from '../../core/tenancy/tenant.js';

/** One request that was refused, in what tells it from others. */
export interface Refused extends Tenant {
  /** Or who it was said to be. */
  readonly keyId: string;
  /** null: of several. */
  readonly address: string | null;
  readonly door: 'rest' | 'fhir' | 'hl7v2' | 'admin';
  readonly method: string;
  readonly route: string;
  readonly code: string;
  /** Of the first of its kind. */
  readonly requestId: string | null;
  readonly resource: string | null;
}

/** A row that is due, and for how many refusals it stands. */
export interface RefusedRow extends Refused {
  readonly occurrences: number;
}

interface Group {
  readonly refused: Refused;
  waiting: number;
  isTold: boolean;
}

const WINDOW_MS = 60_000;
/** In a window of one trail. Whoever changes addresses or routes is written down as several, so that a flood of refusals makes few rows. */
const KINDS = 20;
const SEVERAL = 'several';

/**
 * Refusals by their kind: who, from where, what and why. The first of a kind is due at once, the others of the same minute as one row at its
 * end; beyond 20 kinds in a minute of one organization they are told apart by their code alone. Constant work for a refusal, and bounded memory.
 */
export class RefusalGroups {
  private readonly groups = new Map<string, Group>();
  private readonly kinds = new Map<string, number>();
  private windowEndsMs = 0;

  add(refused: Refused, nowMs: number): void {
    if (this.groups.size === 0) this.windowEndsMs = nowMs + WINDOW_MS;
    const { organizationId, environment, keyId, address, method, route, code } = refused;
    const trail = `${organizationId} ${environment}`;
    const name = `${trail} ${keyId} ${address} ${method} ${route} ${code}`;
    const known = this.groups.get(name);
    if (known !== undefined) {
      known.waiting += 1;
      return;
    }
    const kinds = this.kinds.get(trail) ?? 0;
    if (kinds < KINDS) {
      this.kinds.set(trail, kinds + 1);
      this.groups.set(name, { refused, waiting: 1, isTold: false });
    } else this.addToSeveral(refused, `${trail} ${code}`);
  }

  /** What is to be written now; all that waits where the window has ended, or where `isLast`. */
  due(nowMs: number, isLast = false): RefusedRow[] {
    const ends = isLast || nowMs >= this.windowEndsMs;
    const rows: RefusedRow[] = [];
    for (const group of this.groups.values()) {
      if (group.waiting === 0 || (group.isTold && !ends)) continue;
      rows.push({ ...group.refused, occurrences: group.waiting });
      group.waiting = 0;
      group.isTold = true;
    }
    if (ends) {
      this.groups.clear();
      this.kinds.clear();
    }
    return rows;
  }

  /** Nothing of one of them would be true of all. */
  private addToSeveral(refused: Refused, name: string): void {
    const known = this.groups.get(name);
    if (known !== undefined) known.waiting += 1;
    else
      this.groups.set(name, {
        refused: {
          ...refused,
          keyId: SEVERAL,
          address: null,
          method: '',
          route: SEVERAL,
          requestId: null,
          resource: null,
        },
        waiting: 1,
        isTold: false,
      });
  }
}
