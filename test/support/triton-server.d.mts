import type { ChildProcess } from 'node:child_process';

/** A server that somebody else wrote, started from a Python environment that has it. */
export interface RealEngine {
  readonly url: string;
  stop(): Promise<void>;
}

export function startTriton(python: string, repository: string, workDir: string): Promise<RealEngine>;
export function environmentOf(python: string, additions: Readonly<Record<string, string>>): NodeJS.ProcessEnv;
export function whenReady(server: ChildProcess, port: number): Promise<RealEngine>;
