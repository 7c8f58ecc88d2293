import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../docs/pages.js';

export interface Component {
  readonly type: string;
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version?: string;
  readonly scope?: string;
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses?: readonly object[];
  readonly purl?: string;
  readonly cpe?: string;
  readonly components?: readonly Component[];
  readonly modelCard?: {
    readonly modelParameters: { readonly datasets: readonly { readonly name: string }[] };
    readonly considerations: { readonly technicalLimitations: readonly string[] };
  };
}

export interface Bill {
  readonly serialNumber: string;
  readonly metadata: { readonly timestamp: string; readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
  readonly compositions: readonly { readonly aggregate: string; readonly assemblies: readonly string[] }[];
}

/** What `npm run sbom` writes for a SOURCE_DATE_EPOCH. */
export function writtenBill(epochS: number): string {
  return writtenBy('sbom.mjs', { SOURCE_DATE_EPOCH: String(epochS) });
}

/** What `npm run sbom -- --check` says of a bill; empty where it fits. */
export function complaintAbout(bill: string): string {
  return inFolder((file) => {
    writeFileSync(file, bill);
    return spawnSync(process.execPath, [join(ROOT, 'scripts/sbom.mjs'), '--check', file]).stderr.toString();
  });
}

/** What a program of scripts/ writes with --out. */
export function writtenBy(script: string, environment: Readonly<Record<string, string>> = {}): string {
  return inFolder((file) => {
    const env = { ...process.env, ...environment };
    execFileSync(process.execPath, [join(ROOT, 'scripts', script), '--out', file], { env, stdio: 'pipe' });
    return readFileSync(file, 'utf8');
  });
}

function inFolder(work: (file: string) => string): string {
  const folder = mkdtempSync(join(tmpdir(), 'sutura-procurement-'));
  try {
    return work(join(folder, 'file'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
