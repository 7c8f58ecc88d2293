import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isThere, said } from '../toolchain.js';

/** The folder of HAPI's validator as test/toolchains/hapi builds it: its jar, and those that it needs in lib/. */
const FOLDER = process.env['SUTURA_HAPI'] ?? resolve(__dirname, '../../../.cache/hapi');
const ROOT = resolve(__dirname, '../../..');

export interface HapiIssue {
  readonly severity: string;
  readonly id: string | null;
  readonly location: string;
  readonly message: string;
}

export interface HapiVerdict {
  readonly file: string;
  readonly issues?: readonly HapiIssue[];
  /** Why there is no verdict. */
  readonly thrown?: string;
}

/** What is missing of HAPI here, as `describeWith` takes it. */
export const WITHOUT_HAPI = {
  Java: !isThere('java', '-version'),
  [`HAPI's validator in ${FOLDER}`]: !existsSync(join(FOLDER, 'hapi-conformance.jar')),
};

/** HAPI's verdicts on the resources in a folder, offline, with our profiles. */
export async function hapiVerdicts(folder: string): Promise<HapiVerdict[]> {
  const told = await askHapi('validate', '--definitions', 'fhir-profiles', folder);
  return told.split('\n').map((line) => JSON.parse(line) as HapiVerdict);
}

/** Writes HAPI's snapshots of our profiles to a folder, a file each. */
export async function writeHapiSnapshots(folder: string): Promise<void> {
  await askHapi('snapshots', 'fhir-profiles', folder);
}

function askHapi(...words: string[]): Promise<string> {
  const classPath = [join(FOLDER, 'hapi-conformance.jar'), join(FOLDER, 'lib/*')].join(':');
  return said(ROOT, 'java', '-Xmx2g', '-cp', classPath, 'dev.sutura.conformance.Main', ...words);
}
