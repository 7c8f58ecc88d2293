export function imageConfig(of: { readonly version: string; readonly revision: string; readonly createdS: number }): {
  readonly User: string;
  readonly ExposedPorts: Readonly<Record<string, object>>;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly Volumes: Readonly<Record<string, object>>;
  readonly WorkingDir: string;
  readonly StopSignal: string;
  readonly Healthcheck: { readonly Test: readonly string[] };
};
