/** The steps of a photo's way, each with the places in the service that send its statements. */
const STEPS = [
  ['upload-url', /^doors\/native\/images\//],
  ['PUT', /^storage\/upload\//],
  ['create', /^doors\/native\/analysis\/job-creation|^doors\/native\/analysis\/jobs\.controller#create/],
  ['poll', /^doors\/native\/analysis\//],
  ['claim', /^inference\/queue\//],
  ['complete', /^core\/report\/job-completion|^inference\/worker\/job-ending/],
  ['report', /^core\/report\/report-assembly|^reports\/assemble\//],
  // Whether the tenant asks for FHIR; an answer holds for two seconds, so that a slow machine looks more often.
  ['FHIR opening', /^doors\/fhir\/projection\/fhir-activation/],
  ['FHIR projection', /^doors\/fhir\/projection\//],
  ['HL7 out', /^exits\/mllp\/results\//],
  ['webhooks', /^exits\/webhooks\/events\//],
  ['sending', /^exits\/kit\/sender\//],
  ['outbox', /^events\/outbox\/handled-events/],
  ['key', /^identity\/(guards|keys)\//],
];
export const STEP_NAMES = STEPS.map(([name]) => name);

/**
 * The step that a statement belongs to: that of the nearest place on the way to it. null: one of the service's own rounds, which all
 * photos share; a worker's look for jobs is one, unless it was woken for this very job.
 */
export function stepOf({ senders }) {
  for (const sender of senders) {
    const step = STEPS.find(([, place]) => place.test(sender));
    if (step !== undefined) return step[0];
  }
  return null;
}

const WRITES = /\b(insert into|update|delete from)\b/;

/** Statements, round trips, transactions that wrote something, and bytes of parameters, by step. */
export function countSteps(lines) {
  const counts = new Map(STEP_NAMES.map((name) => [name, { statements: 0, roundTrips: 0, transactions: 0, bytes: 0 }]));
  for (const line of lines) {
    const step = counts.get(stepOf(line) ?? '');
    if (step === undefined) continue;
    step.statements += 1;
    step.roundTrips += line.waits ? 1 : 0;
    step.bytes += line.bytes;
    step.transactions += line.text === 'commit' || (line.alone && WRITES.test(line.text)) ? 1 : 0;
  }
  return counts;
}
