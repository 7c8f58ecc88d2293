import { z } from 'zod';
import type { OperatorAct } from '../../../core/audit/operator-trail.js';
import { PatientErasure } from '../../../core/erasure/patient-erasure.js';
import { PatientErasureRepository } from '../../../core/erasure/patient-erasure.repository.js';
import type { WantedPatient } from '../../../core/erasure/patient-finder.js';
import { PatientHolds } from '../../../core/erasure/patient-holds.js';
import { TenancyService } from '../../../core/organizations/tenancy.service.js';
import { ENVIRONMENTS } from '../../../core/tenancy/tenant.js';
import { CliMisuse, type CliReport } from '../../../platform/cli/cli-command.js';
import { tableReport, toFactList, toTextTable } from '../../../platform/cli/command-report.js';
import { plainText } from '../../../platform/http/text.schema.js';
import { onOrganization } from '../action/acts.js';
import { adminGroup } from '../action/admin-group.js';
import { ERASURE_EXAMPLES } from './erasure.examples.js';
import { ERASURE_VIEW, HOLD_VIEW, toErasureView, toHoldView, type ErasureView } from './erasure.views.js';

const MOST_LISTED = 1000;
const GOES_ON = 'What waits is tried again by itself, once a minute or so.';
const PATIENT_USAGE = '--org ID --env test|live --patient NUMBER|ID [--system URI]';
const EXAMPLE = { environment: 'live', patient: 'MRN-4711' };

/** A patient as an operator names them: never in an address, which logs keep. */
const PATIENT = { environment: z.enum(ENVIRONMENTS), patient: plainText(255), system: plainText(255, 0).optional() };
const NAMED_PATIENT = z.strictObject(PATIENT);
type NamedPatient = z.output<typeof NAMED_PATIENT> & { readonly organizationId: string };

const { action, group } = adminGroup({
  erasure: PatientErasure,
  erasures: PatientErasureRepository,
  holding: PatientHolds,
  tenancy: TenancyService,
});

const erase = action({
  name: 'erasePatient',
  route: 'POST /organizations/:organizationId/patients/erase',
  does: 'Erase everything about one patient, for good: photos, results, resources, messages, deliveries; `dryRun` shows what would go',
  who: 'admin',
  body: z.strictObject({ ...PATIENT, dryRun: z.boolean().optional() }),
  example: { ...EXAMPLE, dryRun: true },
  answers: ERASURE_VIEW,
  shows: ERASURE_EXAMPLES.erasure,
  refusals: ['patient.not_found', 'patient.ambiguous', 'patient.on_hold', 'patient.in_use', 'hl7.sealed'],
  async run({ erasure, erasures, operator }, input): Promise<ErasureView> {
    const { organizationId, environment } = input;
    if (input.dryRun === true) {
      const nothingDone = { askedBy: null, askedAt: null, completedAt: null, waitsFor: null, seal: null };
      const found = await erasure.preview(operator, wantedOf(input));
      const { patientId, counts, leftMessages } = found;
      const would = { patientId, state: 'dry_run', counts, leftMessages } as const;
      return { erasureId: null, organizationId, environment, ...would, ...nothingDone };
    }
    const record = await erasure.erase(operator, wantedOf(input));
    return toErasureView(record, await erasures.sealOf(record.id));
  },
  trail: 'by itself',
  command: {
    usage: `patient erase ${PATIENT_USAGE} --yes|--dry-run`,
    says: 'Erase everything about one patient, for good: photos, results, FHIR resources with their history, messages, deliveries. --dry-run shows what would go.',
    check(values) {
      if (values['dry-run'] !== true && values['yes'] !== true)
        throw new CliMisuse('This cannot be undone. Add --yes to do it; --dry-run shows what would go.');
    },
    prints: describe,
  },
});

const listErasures = action({
  name: 'listErasures',
  route: 'GET /organizations/:organizationId/erasures',
  does: 'The newest 1,000 erasures of patients, those under way included',
  who: 'admin',
  lists: ERASURE_VIEW,
  shows: ERASURE_EXAMPLES.erasure,
  refusals: ['organization.not_found'],
  async run({ erasures }, { organizationId }) {
    const records = await erasures.list(organizationId, MOST_LISTED);
    return Promise.all(records.map(async (record) => toErasureView(record, await erasures.sealOf(record.id))));
  },
  trail: { before: ({ tenancy }, { organizationId }) => lookAt(tenancy, organizationId, '$list-erasures') },
  command: {
    usage: 'patient erasures --org ID',
    says: 'The erasures of an organization, newest first.',
    prints: describeErasures,
  },
});

const hold = action({
  name: 'holdPatient',
  route: 'POST /organizations/:organizationId/patients/hold',
  does: 'Place a legal hold: nothing of the patient is erased, by age or on demand, until it is lifted',
  who: 'admin',
  body: z.strictObject({ ...PATIENT, reason: plainText(200) }),
  example: { ...EXAMPLE, reason: 'Court file 12-345' },
  answers: HOLD_VIEW,
  shows: ERASURE_EXAMPLES.hold,
  refusals: ['patient.not_found', 'patient.ambiguous'],
  run: async ({ holding, operator }, input) => toHoldView(await holding.place(operator, wantedOf(input), input.reason)),
  trail: 'by itself',
  command: {
    usage: `patient hold ${PATIENT_USAGE} --reason TEXT`,
    says: 'Place a legal hold: nothing of the patient is erased, by age or on demand, until it is lifted. The reason is a file number or the like.',
    facts: ({ patientId, reason, placedAt, placedBy }) => ({
      patient: patientId,
      hold: reason,
      placed: `${placedAt} ${placedBy}`,
    }),
  },
});

const release = action({
  name: 'releasePatient',
  route: 'POST /organizations/:organizationId/patients/release',
  does: 'Lift a legal hold',
  who: 'admin',
  body: NAMED_PATIENT,
  example: EXAMPLE,
  refusals: ['patient.not_found', 'patient.ambiguous', 'patient.not_held'],
  run: ({ holding, operator }, input) => holding.release(operator, wantedOf(input)),
  trail: 'by itself',
  command: {
    usage: `patient release ${PATIENT_USAGE}`,
    prints: (patientId) => ({ json: { patientId, held: false }, text: `Patient ${patientId} is no longer on hold.` }),
  },
});

const listHolds = action({
  name: 'listHolds',
  route: 'GET /organizations/:organizationId/holds',
  does: 'The legal holds of the organization, oldest first',
  who: 'admin',
  lists: HOLD_VIEW,
  shows: ERASURE_EXAMPLES.hold,
  refusals: ['organization.not_found'],
  run: async ({ holding }, { organizationId }) => (await holding.list(organizationId)).map(toHoldView),
  trail: { before: ({ tenancy }, { organizationId }) => lookAt(tenancy, organizationId, '$list-holds') },
  command: {
    usage: 'patient holds --org ID',
    says: 'The legal holds of an organization, oldest first.',
    table: {
      PATIENT: ({ patientId }) => patientId,
      ENVIRONMENT: ({ environment }) => environment,
      REASON: ({ reason }) => reason,
      PLACED: ({ placedAt, placedBy }) => `${placedAt} ${placedBy}`,
    },
  },
});

/** What is forgotten of patients, and what must not be. */
export const ERASURE_ACTIONS = group('ErasureController', [erase, listErasures, hold, release, listHolds]);

function wantedOf({ organizationId, environment, patient, system }: NamedPatient): WantedPatient {
  return { tenant: { organizationId, environment }, patient, system };
}

/** `organization.not_found`. */
async function lookAt(tenancy: TenancyService, organizationId: string, interaction: string): Promise<OperatorAct> {
  await tenancy.findOrganization(organizationId);
  return onOrganization(organizationId, interaction, 'R');
}

function describeErasures(views: readonly ErasureView[]): CliReport {
  const table = tableReport(views, {
    ERASURE: ({ erasureId }) => erasureId,
    ENVIRONMENT: ({ environment }) => environment,
    PSEUDONYM: ({ patientId }) => patientId,
    STATE: ({ state }) => state,
    ASKED: ({ askedAt, askedBy }) => `${askedAt} ${askedBy}`,
    DONE: ({ completedAt }) => completedAt,
    SEAL: ({ seal }) => (seal === null ? null : String(seal.number)),
    'WAITS FOR': ({ waitsFor }) => waitsFor?.code ?? null,
  });
  const waits = new Map(views.flatMap(({ waitsFor }) => (waitsFor === null ? [] : [[waitsFor.code, waitsFor.advice]])));
  const advice = [...waits].map(([code, words]) => `${code}: ${words}`);
  return advice.length === 0 ? table : { ...table, text: [table.text, ...advice, GOES_ON].join('\n\n') };
}

const STATES: Readonly<Record<ErasureView['state'], string>> = {
  dry_run: 'nothing was removed; this would go',
  asked: 'asked for; a running gateway goes on with it',
  rows_erased: 'every row is gone; a running gateway goes on with the files',
  done: 'done',
};

function describe(view: ErasureView): CliReport {
  const { state, erasureId, patientId, counts, leftMessages, seal, waitsFor } = view;
  const parts = [
    toFactList({
      state: STATES[state],
      pseudonym: patientId,
      ...(erasureId === null ? {} : { erasure: erasureId }),
      ...(seal === null ? {} : { seal: `${seal.number} ${seal.hash}` }),
    }),
    ...(waitsFor === null ? [] : [`It waits for ${waitsFor.code}: ${waitsFor.advice}`, GOES_ON]),
    counts.length === 0
      ? 'There is nothing.'
      : toTextTable(
          ['WHAT', 'ROWS', 'BYTES'],
          counts.map(({ what, rows, bytes }) => [what, String(rows), String(bytes)]),
        ),
    ...(leftMessages.length === 0
      ? []
      : [
          `Left, as another patient has the same number: ${leftMessages.join(', ')}. "hl7 show --id ID" shows whose it is.`,
        ]),
  ];
  return { json: view, text: parts.join('\n\n') };
}
