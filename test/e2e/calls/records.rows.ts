import { keepAuthorityProposal } from '../../support/authority-proposal.js';
import { readdir, readFile } from 'node:fs/promises';
import { queryDatabase } from '../../support/database-query.js';
import { EHR_COMMAND_ROWS } from './ehr-rows.js';
import { NOBODY, type CommandGround, type CommandRow } from './command-row.js';

/** A ground with one analysed photo of a patient, and rows of the trail that went into an archive. */
export type RecordsGround = CommandGround & {
  readonly organizationId: string;
  readonly jobId: string;
  readonly imageId: string;
  readonly failedJobId: string;
  readonly heldId: string;
};

export const PATIENT = 'MRN-4711';
export const OLD_ROWS = 3;

const tenant = ({ organizationId }: RecordsGround) => ['--org', organizationId, '--env', 'test'];
const patient = (ground: RecordsGround) => [...tenant(ground), '--patient', PATIENT];
const unknownPatient = (ground: RecordsGround) => [...tenant(ground), '--patient', 'MRN-0000'];
const forNobody = { call: () => ['--org', NOBODY], code: 1, says: 'organization.not_found' } as const;

async function holdsOf(ground: RecordsGround): Promise<readonly unknown[]> {
  const { items } = await ground.admin('GET', `/organizations/${ground.organizationId}/holds`);
  return items as readonly unknown[];
}

const jobs: readonly CommandRow<RecordsGround>[] = [
  {
    name: 'jobs retry',
    call: (ground) => [...tenant(ground), '--id', ground.failedJobId],
    async effect(out, { failedJobId, gateway }) {
      const id = new RegExp(`^${failedJobId} +(\\S+)$`, 'm').exec(out)?.[1];
      const made = 'select retry_of as "of" from analysis_jobs where id = $1';
      expect(await queryDatabase(gateway.databaseUrl, made, [id])).toEqual([{ of: failedJobId }]);
    },
    refused: {
      call: (ground) => [...tenant(ground), '--id', ground.jobId],
      code: 1,
      says: 'job.not_failed',
    },
  },
];

const heldOf = ({ organizationId, heldId }: RecordsGround) => ['--org', organizationId, '--id', heldId];

const held: readonly CommandRow<RecordsGround>[] = [
  {
    name: 'held list',
    call: ({ organizationId }) => ['--org', organizationId, '--reason', 'identity_conflict', '--older-than', '0'],
    effect: (out, { heldId }) => expect(out).toMatch(new RegExp(`^${heldId} +test +identity_conflict +`, 'm')),
    refused: { call: () => ['--org', NOBODY], code: 1, says: 'organization.not_found' },
  },
  {
    name: 'held show',
    call: heldOf,
    effect: (out) => expect(out).toContain('same, another, discard'),
    refused: {
      call: ({ organizationId }) => ['--org', organizationId, '--id', NOBODY],
      code: 1,
      says: 'held.not_found',
    },
  },
  {
    name: 'held resolve',
    call: (ground) => [...heldOf(ground), '--action', 'discard', '--note', 'Sent by mistake.'],
    effect: (out, { heldId }) => expect(out).toContain(`${heldId} is settled`),
    refused: {
      call: ({ organizationId }) => ['--org', organizationId, '--id', NOBODY, '--action', 'discard'],
      code: 1,
      says: 'held.not_found',
    },
  },
];

const authorityOf = async ({ gateway, organizationId }: RecordsGround, namespace: string): Promise<string> => {
  const path = `/organizations/${organizationId}/authorities`;
  const { body } = await gateway.admin('GET', path);
  const known = (body as { items: { id: string; namespace: string }[] }).items.find(
    (one) => one.namespace === namespace,
  );
  return known?.id ?? ((await gateway.admin('POST', path, { namespace })).body as { id: string }).id;
};
const noAuthority: CommandRow<RecordsGround>['refused'] = {
  call: ({ organizationId }) => ['--org', organizationId, '--id', NOBODY],
  code: 1,
  says: 'authority.not_found',
};
const noOrganization: CommandRow<RecordsGround>['refused'] = {
  call: () => ['--org', NOBODY],
  code: 1,
  says: 'organization.not_found',
};

const reviewing: readonly CommandRow<RecordsGround>[] = [
  { list: 'worklist', only: [], says: 'No report waits for a decision.' },
  { list: 'caseload', only: ['--concern', 'worsening'], says: 'others were not asked for.' },
].map(({ list, only, says }) => ({
  name: `review ${list}`,
  call: ({ organizationId }) => ['--org', organizationId, '--env', 'live', ...only],
  effect: (out: string) => expect(out).toContain(says),
  refused: {
    call: ({ organizationId }) => ['--org', organizationId, '--env', 'live', '--cursor', 'burnt'],
    code: 1,
    says: 'cursor',
  },
}));

const standing: readonly CommandRow<RecordsGround>[] = [
  { of: 'show', says: 'The database answers and takes writes' },
  { of: 'connections', says: 'PARKED' },
].map(({ of, says }) => ({
  name: `standing ${of}`,
  call: () => [],
  effect: (out: string) => expect(out).toContain(says),
  refused: { call: () => ['--org', NOBODY], code: 2, says: '--org' },
}));

const authorities: readonly CommandRow<RecordsGround>[] = [
  {
    name: 'authorities add',
    call: ({ organizationId }) => [
      '--org',
      organizationId,
      '--namespace',
      'CLI',
      '--oid',
      '2.999.7',
      '--facilities',
      'C1,C2',
    ],
    effect: (out) => expect(out).toContain('urn:oid:2.999.7'),
    refused: { call: ({ organizationId }) => ['--org', organizationId, '--oid', '1.02'], code: 2, says: 'OID' },
  },
  {
    name: 'authorities list',
    call: ({ organizationId }) => ['--org', organizationId],
    effect: (out) => expect(out).toContain('NUMBERS WITHOUT AN AUTHORITY'),
    refused: noOrganization,
  },
  {
    name: 'authorities set',
    call: async (ground) => [
      '--org',
      ground.organizationId,
      '--id',
      await authorityOf(ground, 'SET'),
      '--uri',
      'https://set.example/mrn',
    ],
    effect: (out) => expect(out).toContain('https://set.example/mrn'),
    refused: noAuthority,
  },
  {
    name: 'authorities remove',
    call: async (ground) => ['--org', ground.organizationId, '--id', await authorityOf(ground, 'GONE')],
    effect: (out) => expect(out).toContain('is forgotten'),
    refused: noAuthority,
  },
  {
    name: 'authorities proposals',
    call: ({ organizationId }) => ['--org', organizationId],
    effect: (out) => expect(out).not.toContain('authority.'),
    refused: noOrganization,
  },
  {
    name: 'authorities settle',
    call: async ({ gateway, organizationId }) => {
      const id = await keepAuthorityProposal(gateway.databaseUrl, organizationId);
      return ['--org', organizationId, '--answer', 'different', '--id', id];
    },
    effect: (out) => expect(out).toContain('are two authorities from now on'),
    refused: {
      call: ({ organizationId }) => ['--org', organizationId, '--id', NOBODY, '--answer', 'same'],
      code: 1,
      says: 'authority.not_found',
    },
  },
];

const trail: readonly CommandRow<RecordsGround>[] = [
  {
    name: 'audit list',
    call: (ground) => [...tenant(ground), '--limit', '50'],
    effect: (out, { jobId }) => expect(out).toMatch(new RegExp(`test +rest +create +.*Task/${jobId}`)),
    refused: { call: () => ['--limit', '0'], code: 2, says: '--limit must be a number from 1 to 10000.' },
  },
  {
    name: 'audit verify',
    call: () => [],
    effect: (out) => expect(out).toMatch(/^rows in the chain +\d+\nseals +\d+\nbreaks +0\n\nThe chain is whole\.\n$/),
    refused: { call: () => ['--export', '/nowhere/trail.ndjson'], code: 1, says: '/nowhere/trail.ndjson' },
  },
  {
    name: 'audit export',
    call: (ground) => ['--out', ground.file('trail.ndjson'), '--org', ground.organizationId],
    async effect(_, ground) {
      expect(await readFile(ground.file('trail.ndjson'), 'utf8')).toContain(ground.jobId);
      const checked = await ground.json('audit', 'verify', '--export', ground.file('trail.ndjson'));
      expect(checked).toMatchObject({ breaks: [] });
    },
    refused: {
      call: (ground) => ['--out', ground.file('trail.ndjson')],
      code: 1,
      says: 'trail.ndjson is there already. Name another place, or remove it.',
      after: true,
      leaves: async (ground) =>
        expect(await readFile(ground.file('trail.ndjson'), 'utf8')).toContain(ground.organizationId),
    },
  },
  {
    name: 'audit archives',
    call: (ground) => [...tenant(ground), '--out', ground.file('archives')],
    async effect(out, ground) {
      expect(out).toMatch(new RegExp(` ${OLD_ROWS} +\\d+ +archived `));
      const [file, ...more] = await readdir(ground.file('archives'));
      expect(more).toEqual([]);
      const checked = await ground.json('audit', 'verify', '--export', `${ground.file('archives')}/${file}`);
      expect(checked).toMatchObject({ rows: OLD_ROWS, breaks: [] });
    },
    refused: {
      call: (ground) => [...tenant(ground), '--out', ground.file('archives')],
      code: 1,
      says: 'is there already. Name another place, or remove it.',
      after: true,
    },
  },
];

const retention: readonly CommandRow<RecordsGround>[] = [
  {
    name: 'retention set',
    call: ({ organizationId }) => ['--org', organizationId, '--photos', '3650', '--versions', '365'],
    async effect(out, ground) {
      expect(out).toMatch(/^photos +3650 days/);
      const kept = await ground.admin('GET', `/organizations/${ground.organizationId}/retention`);
      expect(kept).toMatchObject({ photoDays: 3650, versionDays: 365, auditDays: 730 });
    },
    refused: { call: ({ organizationId }) => ['--org', organizationId, '--photos', 'soon'], code: 2, says: '--photos' },
  },
  {
    name: 'retention show',
    call: ({ organizationId }) => ['--org', organizationId],
    effect: (out) => expect(out).toMatch(/^photos +3650 days\n[^]*WHEN +ENVIRONMENT +WHAT/),
    refused: forNobody,
  },
];

const traces: readonly CommandRow<RecordsGround>[] = [
  {
    name: 'trace',
    call: ({ jobId }) => [jobId],
    effect: (out, { imageId, jobId }) => {
      expect(out).toContain(`${jobId} was taken for: `);
      expect(out).toMatch(new RegExp(`photo +${imageId}`));
      expect(out).toContain('WHEN');
    },
    refused: { call: () => [NOBODY], code: 1, says: 'trace.not_found' },
  },
];

const research: readonly CommandRow<RecordsGround>[] = [
  {
    name: 'research allow',
    call: ({ organizationId }) => ['--org', organizationId],
    effect: (out) => expect(out).toBe('Research exports are allowed.\n'),
    refused: forNobody,
  },
  {
    name: 'export research',
    call: (ground) => [...tenant(ground), '--out', ground.file('research')],
    async effect(out, ground) {
      expect(out).toMatch(/\nphotos +2\n/);
      expect(await readdir(ground.file('research'))).toContain('results.ndjson');
    },
    refused: {
      call: (ground) => [...tenant(ground), '--out', ground.file('research')],
      code: 2,
      says: 'is there already. Name a new folder, or remove it.',
      after: true,
    },
  },
  {
    name: 'research forbid',
    call: ({ organizationId }) => ['--org', organizationId],
    async effect(out, ground) {
      expect(out).toBe('Research exports are no longer allowed.\n');
      const tried = await ground.call(['export', 'research', ...tenant(ground), '--out', ground.file('again')]);
      expect(tried).toMatchObject({ code: 1, out: '' });
      expect(tried.err).toContain('research.not_allowed');
    },
    refused: forNobody,
  },
];

const erasure: readonly CommandRow<RecordsGround>[] = [
  {
    name: 'patient hold',
    call: (ground) => [...patient(ground), '--reason', 'Court file 12-345'],
    async effect(out, ground) {
      expect(out).toMatch(/hold +Court file 12-345/);
      expect(await holdsOf(ground)).toMatchObject([{ reason: 'Court file 12-345' }]);
    },
    refused: { call: (ground) => [...unknownPatient(ground), '--reason', 'X'], code: 1, says: 'patient.not_found' },
  },
  {
    name: 'patient holds',
    call: ({ organizationId }) => ['--org', organizationId],
    effect: (out) => expect(out).toMatch(/ test +Court file 12-345 +\S+ operator:/),
    refused: forNobody,
  },
  {
    name: 'patient release',
    call: patient,
    async effect(out, ground) {
      expect(out).toMatch(/^Patient \S+ is no longer on hold\.\n$/);
      expect(await holdsOf(ground)).toEqual([]);
    },
    refused: { call: patient, code: 1, says: 'patient.not_held', after: true },
  },
  {
    name: 'patient erase',
    call: (ground) => [...patient(ground), '--yes'],
    async effect(out, ground) {
      expect(out).toMatch(/^state +(done|every row is gone|asked for)[^]*photos +1 +\d+/);
      const rows = 'select from analysis_jobs where id = $1';
      expect(await queryDatabase(ground.gateway.databaseUrl, rows, [ground.jobId])).toEqual([]);
    },
    refused: {
      call: unknownPatient,
      code: 2,
      says: 'This cannot be undone. Add --yes to do it; --dry-run shows what would go.',
    },
  },
  {
    name: 'patient erasures',
    call: ({ organizationId }) => ['--org', organizationId],
    effect: (out) => expect(out).toMatch(/^\S{36} +test +\S+ +(done|asked for|every row is gone)/m),
    refused: forNobody,
  },
];

export const RECORDS_ROWS: readonly CommandRow<RecordsGround>[] = [
  ...jobs,
  ...held,
  ...authorities,
  ...EHR_COMMAND_ROWS,
  ...reviewing,
  ...standing,
  ...trail,
  ...retention,
  ...traces,
  ...research,
  ...erasure,
];
