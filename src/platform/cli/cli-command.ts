import type { INestApplicationContext, Provider } from '@nestjs/common';
import type { Operator } from '../../core/tenancy/operator.js';

export type CliValues = Readonly<Record<string, string | boolean | undefined>>;

/** The output of a command: as text, and for --json. */
export interface CliReport {
  readonly text: string;
  readonly json: unknown;
  /** True if the command did its work and found something bad: exit code 1. */
  readonly failed?: boolean;
}

/**
 * One command of `npm run --silent cli -- …`. A module brings its own as a CommandGroup.
 * Every command also takes --json and --help.
 */
export interface CliCommand<Services> {
  /** Its words, what follows them and its options, as people see them: 'key create --org ID [--expires RFC3339]'. They are read from it. */
  readonly usage: string;
  readonly summary: string;
  /** Options that are understood and not shown. */
  readonly unlisted?: string;
  /** True if the command, or this use of it, needs no services: nothing is opened, and its work is called without any. */
  readonly isStandalone?: boolean | ((values: CliValues) => boolean);
  /** Checks the values before anything is opened. CliMisuse names the fault. */
  prepare(values: CliValues): (services: Services) => Promise<CliReport>;
}

/** The commands of one module. Plain data, as the usage is printed before there is an application. */
export interface CommandGroup<Services> {
  readonly commands: readonly CliCommand<Services>[];
  /** Providers that only commands need. */
  readonly providers: readonly Provider[];
  /** The services that the commands work with, for the operator who runs them. */
  services(app: INestApplicationContext, operator: Operator): Services;
}

/** The command line was not understood; exit code 2. */
export class CliMisuse extends Error {}
