import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { callEhr, noteFor } from '../../medium/ehr/fake-ehr/ehr-caller.js';

const ROOT = resolve(__dirname, '../../..');
const SCRIPT = resolve(ROOT, 'scripts/fake-ehr.mjs');

/** The program as a person runs it, with what it has printed. */
class RunningEhr {
  readonly lines: string[] = [];
  private readonly child;

  constructor(...options: string[]) {
    this.child = spawn(process.execPath, [SCRIPT, ...options], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  }

  /** What stands behind a label, once its line was printed. */
  async untilSaid(label: string): Promise<string> {
    for await (const line of createInterface({ input: this.child.stdout })) {
      this.lines.push(line);
      if (line.startsWith(label)) return this.said(label);
    }
    throw new Error(`It ended without ${label}: ${this.lines.join('\n')}`);
  }

  said(label: string): string {
    return this.lines
      .find((line) => line.startsWith(label))!
      .slice(label.length)
      .trim();
  }

  /** Its last words and exit code. */
  async interrupt(): Promise<{ readonly code: number; readonly text: string }> {
    const texts: string[] = [];
    this.child.stdout.on('data', (part: Buffer) => texts.push(part.toString('utf8')));
    const ended = once(this.child, 'close');
    this.child.kill('SIGINT');
    const [code] = (await ended) as [number];
    return { code, text: texts.join('') };
  }
}

describe('npm run fake-ehr', () => {
  it.each([
    ['an unknown dialect', ['--dialect', 'cerner']],
    ['a number without its system', ['--patient', '4711']],
    ['a launch without a client', ['--launch-url', 'https://sutura.example/launch']],
    ['an unknown option', ['--colour', 'red']],
  ])('refuses %s and says how it is called', async (_case, options) => {
    const run = promisify(execFile)(process.execPath, [SCRIPT, ...options], { cwd: ROOT });
    await expect(run).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('Usage: npm run fake-ehr') });
  });

  it('has a patient and a visit to file into, and says at its end what it holds and what is wrong', async () => {
    const ehr = new RunningEhr('--dialect', 'oracle');
    const token = await ehr.untilSaid('Token');
    const [base, patient, visit, practitioner] = ['FHIR base', 'Patient', 'Visit', 'Practitioner'].map(
      (label) => ehr.said(label).split(' ')[0]!.split('/').slice(-1)[0]!,
    );
    const url = `${ehr.said('FHIR base')}/DocumentReference`;
    const ward = { patientId: patient!, encounterId: visit!, practitionerId: practitioner! };
    expect(base).toBe('fhir');
    expect((await callEhr('POST', url, { token, json: noteFor(ward) })).status).toBe(201);
    expect((await callEhr('POST', url, { token, json: noteFor(ward) })).status).toBe(201);
    const { code, text } = await ehr.interrupt();
    expect(text).toContain('Wrong: Filed 2 times: DocumentReference with the number urn:example:report|report-1');
    expect(code).toBe(1);
  });
});
