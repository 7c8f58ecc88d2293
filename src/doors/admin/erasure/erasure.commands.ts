import type { Operator } from '../../../core/tenancy/operator.js';
import {
  CliMisuse,
  type CliCommand,
  type CliReport,
  type CliValues,
  type CommandGroup,
} from '../../../platform/cli/cli-command.js';
import { checkOptions, commandOn, given, required, TEXT } from '../../../platform/cli/command-options.js';
import { factReport, tableReport, toFactList, toTextTable } from '../../../platform/cli/command-report.js';
import { ErasureOperations } from './erasure-operations.js';
import { ERASURE, HOLD, NAMED_PATIENT } from './erasure.schema.js';
import type { ErasureView } from './erasure.views.js';

interface ErasureServices {
  readonly operator: Operator;
  readonly erasures: ErasureOperations;
}

type ErasureCommand = CliCommand<ErasureServices>;

const PATIENT_USAGE = '--org ID --env test|live --patient NUMBER|ID [--system URI]';
const PATIENT_OPTIONS = { org: TEXT, env: TEXT, patient: TEXT, system: TEXT } as const;
const OPTION_OF = { environment: 'env', dryRun: 'dry-run' };

const erase: ErasureCommand = {
  name: 'patient erase',
  usage: `${PATIENT_USAGE} --yes|--dry-run`,
  summary:
    'Erase everything about one patient, for good: photos, results, FHIR resources with their history, messages, deliveries. --dry-run shows what would go.',
  options: { ...PATIENT_OPTIONS, yes: { type: 'boolean' }, 'dry-run': { type: 'boolean' } },
  prepare(values) {
    const dryRun = values['dry-run'] === true;
    if (!dryRun && values['yes'] !== true)
      throw new CliMisuse('This cannot be undone. Add --yes to do it; --dry-run shows what would go.');
    const organizationId = required(values, 'org');
    const input = checkOptions(ERASURE, { ...patientOf(values), dryRun }, OPTION_OF);
    return async ({ operator, erasures }) => describe(await erasures.erase(operator, organizationId, input));
  },
};

const GOES_ON = 'What waits is tried again by itself, once a minute or so.';

const list = commandOn<ErasureServices>(
  { name: 'patient erasures', summary: 'The erasures of an organization, newest first.', by: 'org' },
  async ({ operator, erasures }, organizationId) => {
    const views = await erasures.list(operator, organizationId);
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
    const waits = new Map(
      views.flatMap(({ waitsFor }) => (waitsFor === null ? [] : [[waitsFor.code, waitsFor.advice]])),
    );
    const advice = [...waits].map(([code, words]) => `${code}: ${words}`);
    return advice.length === 0 ? table : { ...table, text: [table.text, ...advice, GOES_ON].join('\n\n') };
  },
);

const hold: ErasureCommand = {
  name: 'patient hold',
  usage: `${PATIENT_USAGE} --reason TEXT`,
  summary:
    'Place a legal hold: nothing of the patient is erased, by age or on demand, until it is lifted. The reason is a file number or the like.',
  options: { ...PATIENT_OPTIONS, reason: TEXT },
  prepare(values) {
    const organizationId = required(values, 'org');
    const input = checkOptions(HOLD, { ...patientOf(values), reason: required(values, 'reason') }, OPTION_OF);
    return async ({ operator, erasures }) => {
      const view = await erasures.hold(operator, organizationId, input);
      return factReport(view, {
        patient: view.patientId,
        hold: view.reason,
        placed: `${view.placedAt} ${view.placedBy}`,
      });
    };
  },
};

const release: ErasureCommand = {
  name: 'patient release',
  usage: PATIENT_USAGE,
  summary: 'Lift a legal hold.',
  options: PATIENT_OPTIONS,
  prepare(values) {
    const organizationId = required(values, 'org');
    const input = checkOptions(NAMED_PATIENT, patientOf(values), OPTION_OF);
    return async ({ operator, erasures }) => {
      const patientId = await erasures.release(operator, organizationId, input);
      return { json: { patientId, held: false }, text: `Patient ${patientId} is no longer on hold.` };
    };
  },
};

const holds = commandOn<ErasureServices>(
  { name: 'patient holds', summary: 'The legal holds of an organization, oldest first.', by: 'org' },
  async ({ operator, erasures }, organizationId) =>
    tableReport(await erasures.holds(operator, organizationId), {
      PATIENT: ({ patientId }) => patientId,
      ENVIRONMENT: ({ environment }) => environment,
      REASON: ({ reason }) => reason,
      PLACED: ({ placedAt, placedBy }) => `${placedAt} ${placedBy}`,
    }),
);

/** What is forgotten of patients, and what must not be. */
export const ERASURE_COMMANDS: CommandGroup<ErasureServices> = {
  providers: [ErasureOperations],
  services: (app, operator) => ({ operator, erasures: app.get(ErasureOperations) }),
  commands: [erase, list, hold, release, holds],
};

function patientOf(values: CliValues): Record<string, string> {
  return {
    environment: required(values, 'env'),
    patient: required(values, 'patient'),
    ...given(values, { system: 'system' }),
  };
}

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

const STATES: Readonly<Record<ErasureView['state'], string>> = {
  dry_run: 'nothing was removed; this would go',
  asked: 'asked for; a running gateway goes on with it',
  rows_erased: 'every row is gone; a running gateway goes on with the files',
  done: 'done',
};
