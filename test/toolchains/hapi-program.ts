import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { isThere, said } from './toolchain.js';

const run = promisify(execFile);
const PROJECT = resolve(__dirname, 'hapi');
const TARGET = join(PROJECT, 'target');
const MAX_PRINTED_BYTES = 512 * 1024 * 1024;

export const LACKS_MAVEN = { 'Java with Maven': !isThere('java', '-version') || !isThere('mvn', '-version') };

/** One thing that HAPI's validator says. */
export interface HapiIssue {
  readonly severity: 'fatal' | 'error' | 'warning' | 'information';
  /** HL7's name of the message. */
  readonly id: string | null;
  readonly location: string;
  readonly message: string;
}

/** What HAPI's validator says of one file. */
export interface Validated {
  readonly file: string;
  readonly valid: boolean;
  readonly issues?: readonly HapiIssue[];
  /** Its parser's refusal, instead of issues. */
  readonly thrown?: string;
}

/** A file that HAPI's parser read and wrote in the other format, or refused. */
export interface Converted {
  readonly file: string;
  readonly made?: string;
  readonly refused?: string;
}

/** A call of HAPI's client, and whether it was answered as it should be. */
export interface ClientCall {
  readonly call: string;
  readonly ok: boolean;
  readonly answer?: string;
  readonly refused?: string;
}

/** Builds the program where it is not built yet; Maven fetches HAPI then. */
export async function buildHapi(): Promise<void> {
  await said(PROJECT, 'mvn', '-q', '-B', 'package');
  if (!existsSync(join(TARGET, 'lib'))) throw new Error('Maven left no libraries beside the program.');
}

/** The lines that a command of the program printed (`hapi/src/main/java/dev/sutura/conformance/Main.java`). */
export async function hapi<Line>(
  command: 'validate' | 'convert' | 'snapshots' | 'client',
  ...words: string[]
): Promise<Line[]> {
  const classes = `${join(TARGET, 'hapi-conformance.jar')}:${join(TARGET, 'lib')}/*`;
  const { stdout } = await run('java', ['-Xmx2g', '-cp', classes, 'dev.sutura.conformance.Main', command, ...words], {
    cwd: PROJECT,
    maxBuffer: MAX_PRINTED_BYTES,
  });
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}
