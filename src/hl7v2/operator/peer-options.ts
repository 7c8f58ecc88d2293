import type { CliReport, CliValues } from '../../platform/cli/cli-command.js';
import { given, optional, required, TEXT } from '../../platform/cli/command-options.js';
import type { Hl7Command, Hl7Services } from './command-input.js';

const OWNER = { organizationId: 'org', environment: 'env', name: 'name' } as const;

/** Whose a listener or destination is, and its name. */
export function ownerOf(values: CliValues): Record<string, string> {
  for (const option of Object.values(OWNER)) required(values, option);
  return given(values, OWNER);
}

/** Of one organization, or of all. */
export function listOf(
  name: string,
  summary: string,
  list: (services: Hl7Services, organizationId: string | null) => Promise<CliReport>,
): Hl7Command {
  return {
    name,
    usage: '[--org ID]',
    summary,
    options: { org: TEXT },
    prepare(values) {
      const organizationId = optional(values, 'org') ?? null;
      return (services) => list(services, organizationId);
    },
  };
}
