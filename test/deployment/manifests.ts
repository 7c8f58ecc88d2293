import { dirname, join, normalize } from 'node:path';
import { load, loadAll, YAML11_SCHEMA } from 'js-yaml';
import { SECTIONS } from '../../src/platform/config/settings-schema.js';
import { FILES, textOf } from '../docs/pages.js';

export const KUSTOMIZE = 'ops/kustomize';
export const OVERLAYS = ['single', 'production', 'gpu'].map((name) => `${KUSTOMIZE}/overlays/${name}`);
export const KUSTOMIZATIONS = [`${KUSTOMIZE}/base`, ...OVERLAYS];
export const SETTINGS: ReadonlySet<string> = new Set(
  Object.values(SECTIONS).flatMap((section) => Object.values(section).map(({ name }) => name)),
);
/** Settings that only a Secret may hold. */
// The name of a file is no secret.
export const SECRETS = [...SETTINGS].filter(
  (name) => !name.endsWith('_FILE') && /PASSWORD|SECRET|TOKEN|_KEY|^(DATABASE|REDIS)_URL$/.test(name),
);

export interface Kustomization {
  readonly resources?: readonly string[];
  readonly patches?: readonly { readonly path?: string }[];
  readonly configMapGenerator?: readonly { readonly literals?: readonly string[] }[];
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly env?: readonly { readonly name: string; readonly value?: unknown }[];
  readonly envFrom?: readonly unknown[];
  readonly resources?: { readonly limits?: { readonly memory?: string }; readonly requests?: object };
  readonly securityContext?: object;
  readonly lifecycle?: { readonly preStop?: { readonly sleep?: { readonly seconds: number } } };
  readonly startupProbe?: object;
  readonly readinessProbe?: object;
  readonly livenessProbe?: object;
}

export interface Workload {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly Container[];
        readonly securityContext?: object;
        readonly automountServiceAccountToken?: boolean;
        readonly terminationGracePeriodSeconds?: number;
      };
    };
  };
}

/** As Kubernetes reads YAML: `off` without quotes is no text. */
export const yamlOf = (file: string): unknown => load(textOf(file), { schema: YAML11_SCHEMA });
export const documentsOf = (file: string): unknown[] => loadAll(textOf(file), { schema: YAML11_SCHEMA });

export const kustomizationOf = (folder: string): Kustomization =>
  yamlOf(`${folder}/kustomization.yaml`) as Kustomization;

export const filesOf = (folder: string): readonly string[] =>
  FILES.filter((file) => dirname(file) === folder && !file.endsWith('/kustomization.yaml'));

/** The files that a kustomization names, by their path from the root; folders as they are. */
export const namedBy = (folder: string): readonly string[] => {
  const { resources = [], patches = [] } = kustomizationOf(folder);
  return [...resources, ...patches.flatMap(({ path }) => path ?? [])].map((path) => normalize(join(folder, path)));
};

export const WORKLOADS: readonly { readonly file: string; readonly workload: Workload }[] = KUSTOMIZATIONS.flatMap(
  (folder) =>
    (kustomizationOf(folder).resources ?? [])
      .filter((path) => path.endsWith('.yaml'))
      .map((path) => join(folder, path)),
).flatMap((file) =>
  documentsOf(file)
    .filter((document) => ['Deployment', 'StatefulSet', 'Job'].includes((document as Workload).kind))
    .map((document) => ({ file, workload: document as Workload })),
);

/** `NAME=value` lines. */
export function assignmentsIn(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => /^#?[A-Z][A-Z0-9_]*=/.test(line));
  return Object.fromEntries(lines.map((line) => line.replace(/^#/, '').split(/=(.*)/s, 2) as [string, string]));
}

/** The literals of ConfigMaps, an overlay's over those of what it stands on. */
export function literalsOf(folder: string): Record<string, string> {
  const below = (kustomizationOf(folder).resources ?? []).filter((path) => path.startsWith('../'));
  const own = (kustomizationOf(folder).configMapGenerator ?? []).flatMap(({ literals = [] }) => literals);
  return Object.assign(
    {},
    ...below.map((path) => literalsOf(normalize(join(folder, path)))),
    assignmentsIn(own.join('\n')),
  ) as Record<string, string>;
}
