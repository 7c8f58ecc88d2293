import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const FOLDER = resolve(__dirname, '../../docs/ehrs');

/** A page of docs/ehrs as its reader uses it: commands to paste, scopes to ask for, codes that may be met. */
export class EhrPage {
  private constructor(
    readonly name: string,
    private readonly text: string,
  ) {}

  static read(name: string): EhrPage {
    return new EhrPage(name, readFileSync(join(FOLDER, `${name}.md`), 'utf8'));
  }

  /** What is pasted into a shell, block by block. */
  get blocks(): readonly string[] {
    return [...this.text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block!);
  }

  /** Of the rows that say which scopes to ask for, in their order: of the launch, where there is one, then of the filing. */
  get scopes(): readonly (readonly string[])[] {
    return [...this.text.matchAll(/^\| (?:its )?scopes[^|]*\| `([^`]+)` \|$/gm)].map(([, row]) => row!.split(' '));
  }

  /** Codes of holds in its table. */
  get holds(): readonly string[] {
    return [...new Set([...this.text.matchAll(/`(ehr_[a-z_]+)`/g)].map(([, code]) => code!))];
  }
}

/** The JSON that a block writes into a file; undefined: it writes none of that name. */
export function writtenPart(block: string, file: string): Readonly<Record<string, unknown>> | undefined {
  const json = new RegExp(`^echo '(.*)' > ${file.replace('.', '\\.')}$`, 'm').exec(block)?.[1];
  return json === undefined ? undefined : (JSON.parse(json) as Record<string, unknown>);
}

/** What stands behind an option of a command of a block; undefined: it is not stated. */
export function statedOption(block: string, option: string): string | undefined {
  return new RegExp(` ${option} (\\S+)`).exec(block)?.[1];
}
