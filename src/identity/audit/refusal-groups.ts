import type { Tenant } from '../../core/tenancy/tenant.js';

/** One refused request: the facts by which refusals are grouped. */
export interface Refused extends Tenant {
  /** The id of the key, or the name that was given in its place. */
  readonly keyId: string;
  /** null for several addresses. */
  readonly address: string | null;
  readonly door: 'rest' | 'fhir' | 'hl7v2' | 'ehr' | 'admin';
  readonly method: string;
  readonly route: string;
  readonly code: string;
  /** The request of the first refusal of the group. */
  readonly requestId: string | null;
  readonly resource: string | null;
  /** The person behind the request, as a trusted key or client named them. */
  readonly person: string | null;
}

/** A row that is due, with the number of refusals that it stands for. */
export interface RefusedRow extends Refused {
  readonly occurrences: number;
}

interface Group {
  readonly refused: Refused;
  waiting: number;
  isWritten: boolean;
}

const WINDOW_MS = 60_000;
/**
 * Most groups in one window of one trail. Beyond it, refusals are grouped by code alone, so that a caller who keeps
 * changing addresses or routes makes few rows.
 */
const KINDS = 20;
const SEVERAL = 'several';

/**
 * Groups refusals by caller, address, request and code. The first of a group is due at once, the others of the same
 * minute as one row at its end. Beyond 20 groups in a minute of one organization, refusals are grouped by code alone.
 * Constant work for each refusal, and bounded memory.
 */
export class RefusalGroups {
  private readonly groups = new Map<string, Group>();
  private readonly kinds = new Map<string, number>();
  private windowEndsMs = 0;

  add(refused: Refused, nowMs: number): void {
    if (this.groups.size === 0) this.windowEndsMs = nowMs + WINDOW_MS;
    const { organizationId, environment, keyId, address, method, route, code, person } = refused;
    const trail = `${organizationId} ${environment}`;
    const name = `${trail} ${keyId} ${address} ${method} ${route} ${code} ${person ?? ''}`;
    const known = this.groups.get(name);
    if (known !== undefined) {
      known.waiting += 1;
      return;
    }
    const kinds = this.kinds.get(trail) ?? 0;
    if (kinds < KINDS) {
      this.kinds.set(trail, kinds + 1);
      this.groups.set(name, { refused, waiting: 1, isWritten: false });
    } else this.addToSeveral(refused, `${trail} ${code}`);
  }

  /** The rows to write now: all that wait if the window has ended or with `isLast`. */
  due(nowMs: number, isLast = false): RefusedRow[] {
    const ends = isLast || nowMs >= this.windowEndsMs;
    const rows: RefusedRow[] = [];
    for (const group of this.groups.values()) {
      if (group.waiting === 0 || (group.isWritten && !ends)) continue;
      rows.push({ ...group.refused, occurrences: group.waiting });
      group.waiting = 0;
      group.isWritten = true;
    }
    if (ends) {
      this.groups.clear();
      this.kinds.clear();
    }
    return rows;
  }

  /** Groups by code alone; the other facts are left out, as they differ from one refusal to the next. */
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
          person: null,
        },
        waiting: 1,
        isWritten: false,
      });
  }
}
