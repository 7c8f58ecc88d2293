import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Answer } from '../../support/api-client.js';
import { callCommandLine, embeddedDatabaseUrl, runCommand, type CommandEnd } from '../../support/command-line.js';
import { startGateway, type Gateway, type GatewayOptions, type SharedGateway } from '../../support/gateway.js';
import { roundsOf } from '../../support/rounds.js';
import { sharedGateway } from '../../support/shared-gateway.js';

/** Somebody and something that no database has. */
export const NOBODY = '01997f2e-1111-7000-8000-000000000001';

/** One command, called twice by an operator beside a running gateway: once it does its work, once it is refused. */
export interface CommandRow<Ground extends CommandGround> {
  /** Its words in the usage, such as `key create`. */
  readonly name: string;
  /** The options of a call that does its work. Earlier rows of the table have run. */
  call(ground: Ground): readonly string[] | Promise<readonly string[]>;
  readonly input?: string;
  /** Settings of this call over those of the gateway. */
  variables?(ground: Ground): Readonly<Record<string, string>>;
  /** Looks at what the command printed, and at what it is for. */
  effect(out: string, ground: Ground): void | Promise<void>;
  readonly refused: {
    call(ground: Ground): readonly string[] | Promise<readonly string[]>;
    readonly input?: string;
    variables?(ground: Ground): Readonly<Record<string, string>>;
    /** 1: refused by the facts; 2: by the words of the call alone. */
    readonly code: 1 | 2;
    /** Of the message: what is wrong, or what to do. */
    readonly says: string;
    /** True if it is refused only once the call before has done its work. */
    readonly after?: boolean;
    /** Looks at what the refusal left alone. */
    leaves?(ground: Ground): void | Promise<void>;
  };
}

/** A running gateway, and its command line as an operator has it: the same database, data folder and settings. */
export class CommandGround {
  readonly variables: Readonly<Record<string, string>>;

  private constructor(
    readonly gateway: SharedGateway,
    /** null: the gateway is shared. */
    private readonly own: Gateway | null,
    /** For files that commands read and write. */
    readonly folder: string,
    settings: Readonly<Record<string, string>>,
  ) {
    this.variables = {
      SUTURA_DATA_DIR: gateway.dataDir,
      ...(gateway.databaseUrl === '' ? {} : { DATABASE_URL: gateway.databaseUrl }),
      ...settings,
    };
  }

  /** With a gateway of its own. */
  static async open(wish: GatewayOptions): Promise<CommandGround> {
    const gateway = await startGateway(wish);
    return new CommandGround(gateway, gateway, await makeFolder(), wish.env ?? {});
  }

  /** Beside the shared gateway, which may deliver to this machine. */
  static async beside(): Promise<CommandGround> {
    const settings = { SUTURA_DELIVERY_NETWORKS: '127.0.0.0/8' };
    return new CommandGround(await sharedGateway(), null, await makeFolder(), settings);
  }

  file(name: string): string {
    return join(this.folder, name);
  }

  run(words: readonly string[], input?: string, more: Readonly<Record<string, string>> = {}): Promise<CommandEnd> {
    return runCommand(words, { ...this.variables, ...more }, input);
  }

  /** As `run`. In this process, but for what reads an input or joins a server that the gateway has started. */
  call(words: readonly string[], input?: string, more: Readonly<Record<string, string>> = {}): Promise<CommandEnd> {
    const isOwnServer = this.gateway.databaseUrl === '';
    return input === undefined && !isOwnServer
      ? callCommandLine(words, { ...this.variables, ...more })
      : this.run(words, input, more);
  }

  /** The answer of a command that a row needs and is not about. */
  async json<T>(...words: string[]): Promise<T> {
    const { code, out, err } = await this.call([...words, '--json']);
    if (code !== 0) throw new Error(`${words.join(' ')}: ${err}`);
    return JSON.parse(out) as T;
  }

  async admin(method: string, path: string, json?: unknown): Promise<Answer['body']> {
    const answer = await this.gateway.admin(method, path, json);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.bytes.toString('utf8')}`);
    return answer.body;
  }

  databaseUrl(): Promise<string> {
    const { databaseUrl, dataDir } = this.gateway;
    return databaseUrl === '' ? embeddedDatabaseUrl(dataDir) : Promise.resolve(databaseUrl);
  }

  async close(): Promise<void> {
    await this.own?.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

const makeFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'sutura-calls-'));

/**
 * A test for each row, in the order of the table. Of the commands that begin with the same words, which are made of the same modules, the
 * built program does the work of the first and refuses it, and at night of all; what the others do and refuse is shown in this process,
 * where it can be. (`hl7 dry-run` has more modules than the other commands of messages.)
 */
export function callCommands<Ground extends CommandGround>(
  rows: readonly CommandRow<Ground>[],
  groundOf: () => Ground,
): void {
  const isNight = roundsOf(1) > 1;
  const kinds = rows.map(({ name }) => name.replace(/ \S+$/, ''));
  const isOfProgram = (row: CommandRow<Ground>): boolean => {
    const place = rows.indexOf(row);
    return isNight || row.name === 'hl7 messages' || kinds.indexOf(kinds[place]!) === place;
  };
  it.each(rows.map((row) => [row.name, row] as const))('%s does its work, and says why not', async (name, row) => {
    const ground = groundOf();
    const words = name.split(' ');
    const call: CommandGround['call'] = (...said) => (isOfProgram(row) ? ground.run(...said) : ground.call(...said));
    const work = async () => {
      const line = [...words, ...(await row.call(ground))];
      const { code, out, err } = await call(line, row.input, row.variables?.(ground));
      expect([name, code, err]).toEqual([name, 0, '']);
      await row.effect(out, ground);
    };
    const refusal = async () => {
      const { call: refused, input, code, says, leaves } = row.refused;
      const end = await call([...words, ...(await refused(ground))], input, row.refused.variables?.(ground));
      expect([name, end]).toEqual([name, { code, out: '', err: expect.stringContaining(says) as string }]);
      expect([name, traceOf(end.err)]).toEqual([name, null]);
      await leaves?.(ground);
    };
    if (row.refused.after !== true) await Promise.all([work(), refusal()]);
    else {
      await work();
      await refusal();
    }
  });
}

/** What only a programmer can read in a message: places of the program, words of its libraries. */
function traceOf(message: string): string | null {
  return /^ +at .*|Nest can't.*|node:internal.*|\b\w+Error:.*|undefined|\[object \w+\]/m.exec(message)?.[0] ?? null;
}
