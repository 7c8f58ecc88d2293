import type { z } from 'zod';
import type { OperatorAct, OperatorTrail } from '../../../core/audit/operator-trail.js';
import type { ErrorCode } from '../../../core/errors/catalogue.js';
import type { Operator } from '../../../core/tenancy/operator.js';
import type { Role } from '../../../core/tenancy/roles.js';
import type { NamedIn } from '../../../identity/guards/admin-access.js';
import type { HeldSession } from '../../../identity/guards/operator-of-request.js';
import type { CliReport, CliValues } from '../../../platform/cli/cli-command.js';

/** The classes that the actions of a group work with, by the names that they give them. */
export type Tokens = Readonly<Record<string, abstract new (...given: never[]) => unknown>>;

/** The services of a group, and who asks. */
export type ActionContext<T extends Tokens> = {
  readonly [K in keyof T]: T[K] extends abstract new (...given: never[]) => infer Service ? Service : never;
} & {
  readonly operator: Operator;
  readonly trail: OperatorTrail;
  /** The `If-Match` of the request. */
  readonly ifMatch?: string | undefined;
  /** Of who 'session'. */
  readonly session?: HeldSession;
};

/** `/keys/:keyId` → `{ keyId: string }`. */
type PathIds<Route extends string> = Route extends `${string}:${infer Id}/${infer Rest}`
  ? { readonly [K in Id]: string } & PathIds<`/${Rest}`>
  : Route extends `${string}:${infer Id}`
    ? { readonly [K in Id]: string }
    : unknown;

/**
 * What the audit trail says. `before`: the action is not done where it cannot be recorded; `after`: it was done. 'by itself': `run` records it, or
 * what it calls does; 'none': nothing is recorded.
 */
type Trail<Context, Input, Result> =
  | { before(context: Context, input: Input): OperatorAct | Promise<OperatorAct> }
  | { after(result: Result, input: Input, context: Context): OperatorAct }
  | 'by itself'
  | 'none';

/** How an action is asked for at the command line, and what it prints. */
export interface ActionCommand<Input = never, Result = unknown> {
  /** 'key create --org ID [--expires RFC3339]': each option is a field of the input, in words with dashes. */
  readonly usage: string;
  /** The summary; as `does`, with a full stop, where it is absent. */
  readonly says?: string;
  readonly unlisted?: string;
  /** The option of each field that has another name. */
  readonly options?: Readonly<Record<string, string>>;
  /** How the text of a field is read, where its schema does not say it. */
  readonly reads?: Readonly<Record<string, (text: string) => unknown>>;
  /** Throws CliMisuse. */
  check?(values: CliValues): void;
  /** The body, where it is not one option a field. */
  takes?(values: CliValues): Readonly<Record<string, unknown>>;
  /** One of these three. A row for each item, by the headings of the columns; */
  readonly table?: Readonly<
    Record<string, (item: Result extends readonly (infer Item)[] ? Item : never) => string | null>
  >;
  /** a line for each fact; */
  facts?(result: Result, input: Input): Readonly<Record<string, string>>;
  /** anything else. */
  prints?(result: Result, input: Input): CliReport;
}

/** One thing that operators do, by HTTP and at the command line. */
export interface AdminAction<T extends Tokens, Input = never, Result = unknown> {
  /** Of the operation in the OpenAPI document. */
  readonly name: string;
  /** `METHOD /path`, below /admin/v1. */
  readonly route: string;
  readonly does: string;
  /**
   * The role that a user needs, in the organization that owns the first id of the path, or where it says. 'installation admin': of no
   * organization. 'session': every user, about themselves.
   */
  readonly who: Role | { readonly role: Role; readonly of: NamedIn } | 'installation admin' | 'session';
  readonly body?: z.ZodType;
  /** As `body` where that is not what the document says. */
  readonly described?: z.ZodType;
  /** Each field is described. */
  readonly query?: z.ZodType;
  /** Of the body. */
  readonly example?: unknown;
  /** The answer, or one of the `items` of the answer; neither: there is none. */
  readonly answers?: z.ZodType;
  readonly lists?: z.ZodType;
  /** An example of it. */
  readonly shows?: unknown;
  /** 200 unless something was made; 204 without an answer. */
  readonly status?: 201;
  /** The answer has a secret: it is never packed. */
  readonly isSecret?: true;
  readonly takesIfMatch?: true;
  /** Besides those that every action has. */
  readonly refusals?: readonly ErrorCode[];
  run(context: ActionContext<T>, input: Input): Promise<Result>;
  readonly trail: Trail<ActionContext<T>, Input, Result>;
  readonly command?: ActionCommand<Input, Result>;
  /** Further ways to ask for it. */
  readonly also?: readonly ActionCommand<Input, Result>[];
}

/** As the schema of the answer says; without an answer what `run` gives, for the command and the trail. */
type ResultOf<Out, Item, Free> = Out extends z.ZodType
  ? z.output<Out>
  : Item extends z.ZodType
    ? readonly z.output<Item>[]
    : Free;

/** As written: what comes in and goes out is typed by the path and the schemas. */
export interface DeclaredAction<
  T extends Tokens,
  Route extends string,
  In extends z.ZodType,
  Out extends z.ZodType | undefined,
  Item extends z.ZodType | undefined,
  Free,
> extends AdminAction<T, PathIds<Route> & z.output<In>, ResultOf<Out, Item, Free>> {
  readonly route: Route;
  readonly body?: In;
  readonly query?: In;
  readonly answers?: Out;
  readonly lists?: Item;
}

/** Does it, and records it. */
export async function perform<T extends Tokens, Input, Result>(
  action: AdminAction<T, Input, Result>,
  context: ActionContext<T>,
  input: Input,
): Promise<Result> {
  const { trail } = action;
  const record = (act: OperatorAct): Promise<void> => context.trail.record(context.operator, act);
  if (typeof trail === 'object' && 'before' in trail) await record(await trail.before(context, input));
  const result = await action.run(context, input);
  if (typeof trail === 'object' && 'after' in trail) await record(trail.after(result, input, context));
  return result;
}

/** The ids in the path, in their order. */
export function idsIn(route: string): string[] {
  return [...route.matchAll(/:(\w+)/g)].map(([, id]) => id!);
}
