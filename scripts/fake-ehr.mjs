// A strict EHR to register, launch from and file into by hand: npm run fake-ehr
import { parseArgs } from 'node:util';
import { loadFakeEhr } from './fake-ehr/load-fake-ehr.mjs';

const DIALECTS = ['transaction', 'us-core-note', 'epic', 'oracle', 'isik'];
const USAGE = `Usage: npm run fake-ehr -- [--dialect ${DIALECTS.join('|')}] [--patient SYSTEM|NUMBER] [--visit SYSTEM|NUMBER]
         [--map SYSTEM|CODE|UNIT]... [--launch-url URL --redirect-uri URL --client-id ID [--client-secret SECRET | --jwks-url URL]]

Starts a strict EHR on this machine: FHIR server, SMART authorization server, caller of CDS services. It has one patient, one visit that is open
and one practitioner, prints the addresses to register, a token, and a launch where a launch URL is given; then each call with its answer.
Ctrl-C ends it, and prints what it holds and what of that is not as it must be.

  --dialect   what it takes (transaction)
  --patient   number of the patient (urn:example:mrn|4711)
  --visit     number of the visit (urn:example:visit|V1)
  --map       a code with a flowsheet row, for --dialect epic
`;

/** `system|value` and what follows; null where a part is missing. */
function split(text, parts) {
  const found = text.split('|');
  return found.length === parts && found.every((part) => part !== '') ? found : null;
}

function readCommandLine() {
  const [text, many] = [{ type: 'string' }, { type: 'string', multiple: true }];
  const { values } = parseArgs({
    options: {
      dialect: { type: 'string', default: 'transaction' },
      patient: { type: 'string', default: 'urn:example:mrn|4711' },
      visit: { type: 'string', default: 'urn:example:visit|V1' },
      map: { ...many, default: [] },
      'launch-url': text,
      'redirect-uri': text,
      'client-id': text,
      'client-secret': text,
      'jwks-url': text,
      help: { type: 'boolean', short: 'h' },
    },
  });
  const [patient, visit] = [split(values.patient, 2), split(values.visit, 2)];
  const rows = values.map.map((row) => split(row, 3));
  const launch = [values['launch-url'], values['redirect-uri'], values['client-id']];
  const isWrong =
    !DIALECTS.includes(values.dialect) ||
    [patient, visit, ...rows].includes(null) ||
    (launch.some(Boolean) && !launch.every(Boolean));
  return { ...values, patient, visit, rows, isWrong };
}

function registerClient({ control }, wish) {
  const [secret, jwksUrl] = [wish['client-secret'], wish['jwks-url']];
  control.registerClient({
    clientId: wish['client-id'],
    type: jwksUrl !== undefined ? 'asymmetric' : secret !== undefined ? 'symmetric' : 'public',
    ...(secret === undefined ? {} : { secret }),
    ...(jwksUrl === undefined ? {} : { jwksUrl, isBackend: true }),
    redirectUris: [wish['redirect-uri']],
    scopes: [
      ...['launch', 'openid', 'fhirUser', 'online_access'],
      ...['patient/Patient.r', 'patient/Encounter.rs', 'patient/Patient.read', 'patient/Encounter.read'],
      ...filingScopes(),
    ],
  });
}

/** What a result is filed with. */
function filingScopes() {
  const read = ['Patient', 'Encounter', 'Practitioner', 'Binary'].map((type) => `system/${type}.rs`);
  const written = ['DocumentReference', 'Observation', 'DiagnosticReport', 'Media', 'BodyStructure'];
  return [...read, ...written.map((type) => `system/${type}.crus`)];
}

const say = (text) => process.stdout.write(`${text}\n`);
const row = (label, value) => say(`${label.padEnd(14)} ${value}`);

async function main() {
  const wish = readCommandLine();
  if (wish.help || wish.isWrong) {
    process[wish.help ? 'stdout' : 'stderr'].write(USAGE);
    return wish.help ? 0 : 2;
  }
  const { startFakeEhr } = await loadFakeEhr();
  const ehr = await startFakeEhr({ dialect: wish.dialect });
  const { control } = ehr;
  const number = ([system, value]) => [{ system, value }];
  const patientId = control.addPatient({ identifiers: number(wish.patient) });
  const start = new Date(Date.now() - 86_400_000).toISOString();
  const encounterId = control.addEncounter({ patientId, identifiers: number(wish.visit), start });
  const practitioner = control.addPractitioner({ identifiers: [{ system: 'urn:example:staff', value: 'P1' }] });
  for (const [system, code, unit] of wish.rows) control.mapRow({ system, code, unit });
  row('FHIR base', ehr.fhirBaseUrl);
  row('Discovery', `${ehr.fhirBaseUrl}/.well-known/smart-configuration`);
  row('CDS issuer', `${ehr.cds.issuer}, keys at ${ehr.cds.jwksUrl}`);
  row('Patient', `Patient/${patientId} ${wish.patient.join('|')}`);
  row('Visit', `Encounter/${encounterId} ${wish.visit.join('|')}`);
  row('Practitioner', `Practitioner/${practitioner}`);
  row('Token', control.issueToken(filingScopes(), { lifeS: 86_400 }));
  if (wish['launch-url'] !== undefined) {
    registerClient(ehr, wish);
    const context = { patientId, encounterId, user: `Practitioner/${practitioner}`, userName: 'Ada Winter' };
    row('Launch', control.launch(wish['launch-url'], context));
  }
  control.follow(({ method, path, query, status }) => say(`  ${status} ${method} ${path}${query && `?${query}`}`));
  await new Promise((ended) => ['SIGINT', 'SIGTERM'].forEach((signal) => process.once(signal, ended)));
  await ehr.stop();
  return report(ehr);
}

/** What was filed, and what is wrong with it; 1 if anything is. */
function report({ control, verify }) {
  const types = ['DocumentReference', 'Observation', 'DiagnosticReport', 'Media'];
  for (const type of types)
    for (const { id, status, meta } of control.resources(type)) row(type, `${id} ${status}, version ${meta.versionId}`);
  const wrong = [...control.objections, ...verify()];
  wrong.forEach((one) => say(`Wrong: ${one}`));
  if (wrong.length === 0) say('Nothing is wrong with what it holds.');
  return wrong.length === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (fault) {
  const isMisuse = fault?.code?.startsWith?.('ERR_PARSE_ARGS');
  process.stderr.write(isMisuse ? `${fault.message}\n\n${USAGE}` : `${fault?.stack ?? fault}\n`);
  process.exitCode = isMisuse ? 2 : 1;
}
