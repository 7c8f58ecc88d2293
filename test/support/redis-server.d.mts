export interface RedisCommand {
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
}

export function redisServerCommand(): Promise<RedisCommand>;
export function fetchRedis(cache: string): Promise<RedisCommand>;
export function startRedisServer(address?: string): Promise<{ readonly url: string; stop(): Promise<void> }>;
