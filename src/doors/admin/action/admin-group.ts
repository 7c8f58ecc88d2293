import type { Type } from '@nestjs/common';
import type { z } from 'zod';
import { OperatorTrail, SERVICE_TENANT } from '../../../core/audit/operator-trail.js';
import { TenancyService } from '../../../core/organizations/tenancy.service.js';
import type { CliCommand, CommandGroup } from '../../../platform/cli/cli-command.js';
import { optional } from '../../../platform/cli/command-options.js';
import { readUsage } from '../../../platform/cli/command-usage.js';
import { commandsOf } from './action-command.js';
import { controllerOf } from './action-controller.js';
import type { ActionContext, AdminAction, DeclaredAction, Tokens } from './admin-action.js';

/** The actions of one subject: their routes, and their commands in the order of the usage. */
export interface AdminGroup<T extends Tokens = Tokens> {
  readonly actions: readonly AdminAction<T>[];
  readonly controller: Type;
  readonly commands: CommandGroup<CommandContext<T>>;
}

/** At the command line, where no guard has looked for the organization that is named. */
type CommandContext<T extends Tokens> = ActionContext<T> & {
  readonly organizations: Pick<TenancyService, 'findOrganization'>;
};

/** What a group is written with. */
interface GroupWords<T extends Tokens> {
  /** Types an action by its path and its schemas. */
  action<
    Route extends string,
    In extends z.ZodType,
    Free,
    Out extends z.ZodType | undefined = undefined,
    Item extends z.ZodType | undefined = undefined,
  >(
    declared: DeclaredAction<T, Route, In, Out, Item, Free>,
  ): DeclaredAction<T, Route, In, Out, Item, Free>;
  /** A command that no route stands beside, or one that chooses between actions. */
  command(declared: CliCommand<ActionContext<T>>): CliCommand<ActionContext<T>>;
  /** `name`: of its controller. */
  group(name: string, entries: readonly (AdminAction<T> | CliCommand<ActionContext<T>>)[]): AdminGroup<T>;
}

/** Begins a group whose actions work with these services. */
export function adminGroup<T extends Tokens>(tokens: T): GroupWords<T> {
  return {
    action: (declared) => declared,
    command: (declared) => declared,
    group(name, entries) {
      const actions = entries.flatMap((entry) => ('route' in entry ? [entry] : []));
      return {
        actions,
        controller: controllerOf(name, tokens, actions),
        commands: {
          providers: [],
          services: (app, operator) => {
            const get = (token: unknown): unknown => app.get(token as Type, { strict: false });
            const services = Object.entries(tokens).map(([one, token]) => [one, get(token)]);
            return {
              ...Object.fromEntries(services),
              operator,
              trail: get(OperatorTrail),
              organizations: get(TenancyService),
            } as CommandContext<T>;
          },
          commands: entries
            .flatMap((entry) => ('route' in entry ? commandsOf(entry) : [entry]))
            .map(ofKnownOrganization),
        },
      };
    },
  };
}

/** With an `--org` that does not exist: `organization.not_found`, since an empty list would say that nothing waits. */
function ofKnownOrganization<T extends Tokens>(declared: CliCommand<ActionContext<T>>): CliCommand<CommandContext<T>> {
  if (readUsage(declared.usage).options['org'] === undefined) return declared;
  return {
    ...declared,
    prepare(values) {
      const run = declared.prepare(values);
      const organizationId = optional(values, 'org');
      if (organizationId === undefined || organizationId === SERVICE_TENANT.organizationId) return run;
      return async (context) => {
        await context.organizations.findOrganization(organizationId);
        return run(context);
      };
    },
  };
}
