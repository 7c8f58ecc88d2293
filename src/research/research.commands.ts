import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { Operator } from '../core/tenancy/operator.js';
import { ENVIRONMENTS } from '../core/tenancy/tenant.js';
import { CliMisuse, type CliCommand, type CommandGroup } from '../platform/cli/cli-command.js';
import { checkOptions, commandOn, required } from '../platform/cli/command-options.js';
import { factReport } from '../platform/cli/command-report.js';
import { ResearchExport } from './research-export.js';
import { ResearchPolicies } from './research-policies.js';
import { ResearchRecords } from './research-records.js';

interface ResearchServices {
  readonly operator: Operator;
  readonly research: ResearchExport;
}

const TENANT = z.strictObject({ organizationId: z.string(), environment: z.enum(ENVIRONMENTS) });
const OPTION_OF = { environment: 'env' };

const take: CliCommand<ResearchServices> = {
  usage: 'export research --org ID --env test|live --out DIR',
  summary:
    'Write de-identified results with photos and masks into a new folder, as npm run evaluate reads them: pseudonyms, shifted days, no metadata. The organization must allow it.',
  prepare(values) {
    const out = resolve(required(values, 'out'));
    const stated = { organizationId: required(values, 'org'), environment: required(values, 'env') };
    const tenant = checkOptions(TENANT, stated, OPTION_OF);
    for (const folder of [out, `${out}.unfinished`])
      if (existsSync(folder)) throw new CliMisuse(`${folder} is there already. Name a new folder, or remove it.`);
    return async ({ operator, research }) => {
      const { folder, photos, model, accepted, corrected, missing } = await research.write(operator, tenant, out);
      return factReport(
        { folder, photos, model, accepted, corrected, missing },
        {
          folder,
          photos: String(photos),
          'outlined by the model alone': String(model),
          'accepted by a person': String(accepted),
          'corrected by a person': String(corrected),
          'photos that were gone': String(missing),
          next: 'look at the photos: they may show a face, a tattoo or a label',
        },
      );
    };
  },
};

const policy = (name: string, allowed: boolean, summary: string): CliCommand<ResearchServices> =>
  commandOn<ResearchServices>({ name, summary, by: 'org' }, async ({ operator, research }, organizationId) => {
    await research.setPolicy(operator, organizationId, allowed);
    const text = allowed ? 'Research exports are allowed.' : 'Research exports are no longer allowed.';
    return { json: { organizationId, allowed }, text };
  });

/** What leaves for research, and whether it may. */
export const RESEARCH_COMMANDS: CommandGroup<ResearchServices> = {
  providers: [ResearchPolicies, ResearchRecords, ResearchExport],
  services: (app, operator) => ({ operator, research: app.get(ResearchExport) }),
  commands: [
    take,
    policy(
      'research allow',
      true,
      'Let de-identified results and photos of an organization be taken away for research. Off until somebody says so.',
    ),
    policy(
      'research forbid',
      false,
      'Let nothing more be taken away for research. What left before is not called back.',
    ),
  ],
};
