import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { fieldOf, Hl7Hospital } from '../../support/hl7-hospital.js';

const SENDERS = 5;
const FINDINGS = [
  ['39126-8', 'Length of Wound', '3.4'],
  ['39125-0', 'Width of Wound', '2.4'],
] as const;

/** Findings about a patient's wound, without a photo and in original mode. */
function findingsOf(patient: string): string {
  const rows = FINDINGS.map(
    ([code, name, value], at) =>
      `OBX|${at + 2}|NM|${code}^${name}^LN|1|${value}|cm^centimeter^UCUM|||||F|||20260315094000+0100`,
  );
  return [
    `MSH|^~\\&|EHR|HOSP|SUTURA|SUTURA|20260315094003+0100||ORU^R01^ORU_R01|C-${patient}|T|2.5.1|||||DEU|UNICODE UTF-8`,
    `PID|1||${patient}^^^HOSP&1.2.3.4.5.6&ISO^MR||Beispiel^Anna^^^^^L||19510714|F`,
    `OBR|1|${patient}-1^EHR^1.2.3.4.5.7^ISO||39135-9^Wound assessment panel^LN|||20260315094000+0100|||||||||||||||||NRS|F`,
    'OBX|1|ST|wound-id^Wound number^99SUT|1|W-1||||||F',
    ...rows,
    '',
  ].join('\r');
}

describe('a gateway that is killed while findings of several patients are carried out together', () => {
  let base: Gateway;
  let steady: Gateway;
  let hospital: Hl7Hospital;

  beforeAll(async () => {
    base = await startGateway();
    steady = base;
    hospital = await Hl7Hospital.open(base);
    await takenSurely(hospital, findingsOf('EARLIER'));
    await eventually('the records are open', async () => {
      const rows = await queryDatabase(base.databaseUrl, 'select from fhir_openings where completed_at is not null');
      return rows.length > 0 ? true : undefined;
    });
  });
  afterAll(async () => {
    await hospital?.close();
    if (steady !== base) await steady?.stop();
    await base?.stop();
  });

  const start = (env: Record<string, string> = {}) =>
    startGateway({ databaseUrl: base.databaseUrl, dataDir: base.dataDir, env });
  const takenSurely = (here: Hl7Hospital, message: string) =>
    eventually(
      'the message is taken',
      async () => {
        const answer = await here.send(message);
        return answer !== null && fieldOf(answer, 'MSA', 1) === 'AA' ? answer : undefined;
      },
      30_000,
      200,
    );

  it.each([
    ['with some outcomes written', 'A', 'hl7_in_apply:kill:3'],
    ['once they are carried out', 'B', 'hl7_after_apply:kill'],
  ])('%s takes each from its sender’s repeat, once', async (_, ward, failpoint) => {
    const messages = Array.from({ length: SENDERS }, (__, at) => findingsOf(`${ward}-${at}`));
    await steady.kill();
    const doomed = await start({ SUTURA_FP: failpoint });
    const senders = await Promise.all(messages.map(() => hospital.at(doomed).connect()));
    const answers = await Promise.all(senders.map((sender, at) => sender.ask(messages[at]!)));
    expect(answers).toContain(null);
    expect((await doomed.process.exited).signal).toBe('SIGKILL');

    steady = await start();
    const here = hospital.at(steady);
    await Promise.all(messages.map((message) => takenSurely(here, message)));
    expect(await inboundOf(ward)).toEqual({ messages: SENDERS, processed: SENDERS });
    expect(await findingsPerPatient(ward)).toEqual(messages.map(() => FINDINGS.length));
  });

  async function inboundOf(ward: string): Promise<unknown> {
    const rows = await queryDatabase(
      base.databaseUrl,
      `select count(*)::int as messages, (count(*) filter (where state = 'processed'))::int as processed from hl7_inbound where control_id like $1`,
      [`C-${ward}-%`],
    );
    return rows[0];
  }

  async function findingsPerPatient(ward: string): Promise<number[]> {
    const rows = await queryDatabase<{ findings: number }>(
      base.databaseUrl,
      `select count(*)::int as findings from fhir_resources r join fhir_references f on f.resource = r.number
        join fhir_resources patient on patient.address = f.target and patient.type = 'Patient'
        join patient_identifiers p on p.patient_id::text = patient.id
        where r.type = 'Observation' and p.value like $1 group by p.value order by p.value`,
      [`${ward}-%`],
    );
    return rows.map(({ findings }) => findings);
  }
});
