export function redisServerCommand(): Promise<{ readonly command: string; readonly env: Readonly<Record<string, string>> }>;
