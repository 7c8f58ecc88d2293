import type { Ehr } from '../../../../src/core/ehrs/ehr.js';
import { NoEhrAnswerError } from '../../../../src/ehrs/index.js';
import { toPushing } from '../../../../src/exits/ehr/settings/pushing-ehr.js';
import type { EhrEndpoint, EhrOutcome, EhrTransport } from '../../../../src/exits/ehr/sender/ehr-transport.js';
import type { Outcome } from '../../../../src/exits/kit/index.js';
import type { Dialect } from '../../../support/fake-ehr/index.js';
import { MemoryWrites, type MemoryRow, type MemoryTable } from './memory-ledger.js';

export const PATIENTS = 'urn:oid:2.999.4711';
export const AREA = { system: 'urn:oid:2.999.5', code: '1001', unit: 'cm2' } as const;
export const OTHER_AREA = { ...AREA, code: '1002' } as const;

/** Where a process ends while it files. */
export type Death = 'before it writes' | 'after it noted a write' | 'before it noted the answer';

/** A process that may end between two of its steps. */
export class MortalWrites extends MemoryWrites {
  hasDied = false;

  constructor(
    table: MemoryTable,
    private readonly death: Death | null,
  ) {
    super(table);
  }

  override async begin(...args: Parameters<MemoryWrites['begin']>): ReturnType<MemoryWrites['begin']> {
    this.dieIf('before it writes');
    const answer = await super.begin(...args);
    this.dieIf('after it noted a write');
    return answer;
  }

  override async keep(...args: Parameters<MemoryWrites['keep']>): Promise<void> {
    this.dieIf('before it noted the answer');
    await super.keep(...args);
  }

  override async file(...args: Parameters<MemoryWrites['file']>): ReturnType<MemoryWrites['file']> {
    this.dieIf('before it noted the answer');
    return super.file(...args);
  }

  private dieIf(death: Death): void {
    if (this.death !== death) return;
    this.hasDied = true;
    throw new NoEhrAnswerError('process ended', true);
  }
}

/** The registration that results are filed by. */
export function ehrOf(dialect: Dialect, fhirBaseUrl: string): Ehr {
  const send = dialect === 'isik' ? ['pdf' as const] : (['pdf', 'observations'] as const);
  const now = new Date(0);
  return {
    organizationId: '0199aaaa-0000-7000-8000-000000000001',
    environment: 'test',
    id: '0199aaaa-0000-7000-8000-000000000002',
    name: 'EHR',
    fhirBaseUrl,
    origins: [],
    patientSystem: PATIENTS,
    launch: null,
    push: {
      enabled: true,
      dialect,
      auth: 'none',
      token: null,
      clientId: null,
      scopes: null,
      send,
      when: 'reviewed',
      encounterRule: dialect === 'oracle' || dialect === 'epic' ? 'period' : 'none',
      codes: dialect === 'epic' || dialect === 'oracle' ? { area: AREA } : null,
    },
    cds: null,
    frameAncestors: [],
    createdAt: now,
    updatedAt: now,
  };
}

/** One attempt. */
export async function sent(transport: EhrTransport, ehr: Ehr, row: MemoryRow): Promise<Outcome<EhrOutcome>> {
  const endpoint = { id: ehr.id, ehr: toPushing(ehr)!, collapse: false } as unknown as EhrEndpoint;
  try {
    const due = { ...row, failures: 0, refusals: 0 } as unknown as Parameters<
      Awaited<ReturnType<EhrTransport['open']>>['send']
    >[0];
    return { kind: 'answered', ...(await (await transport.open(endpoint)).send(due)) };
  } catch (error) {
    return transport.silenceOf(error);
  }
}

/** What became of an attempt. */
export function wordsOf(outcome: Outcome<EhrOutcome>): string {
  if (outcome.kind === 'silent') return outcome.fault;
  return [outcome.meaning, outcome.answer.hold ?? '', ...outcome.answer.codes].join(' ');
}
