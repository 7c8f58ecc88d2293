import { spawn, type ChildProcess } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { eventually } from '../support/eventually.js';
import { queryDatabase } from '../support/database-query.js';
import { createEmptyDatabase } from '../support/test-database.js';
import { LACKS_MAVEN } from './hapi-program.js';
import { describeWith, isThere, said } from './toolchain.js';

const ROOT = resolve(__dirname, '../..');
const KEY = randomBytes(32);
const SECRET = `whsec_${KEY.toString('base64')}`;
const ID = '2f1c8e00-5a00-8000-9000-0000000000c1';
const BODY =
  '{"type":"report.ready","timestamp":"2026-01-05T08:00:00.000Z","data":{"reportId":"größer","areaCm2":{"value":1.5,"lower":1.4,"upper":1.6}}}';

const nowS = (): number => Math.floor(performance.timeOrigin / 1000 + performance.now() / 1000);
const signatureOf = (body: string, id: string, seconds: number, key = KEY): string =>
  `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;

/** What is to be taken, and what refused: body, id, seconds, signatures. */
function events(seconds: number): readonly (readonly [boolean, string, string, string, string])[] {
  const good = signatureOf(BODY, ID, seconds);
  const at = String(seconds);
  const other = signatureOf(BODY, ID, seconds, randomBytes(32));
  const [old, early] = [seconds - 310, seconds + 330];
  return [
    [true, BODY, ID, at, good],
    [true, BODY, ID, at, `${other} v1a,AAAA ${good}`],
    [false, `${BODY} `, ID, at, good],
    [false, BODY, 'another', at, good],
    [false, BODY, ID, String(seconds + 1), good],
    [false, BODY, ID, String(old), signatureOf(BODY, ID, old)],
    [false, BODY, ID, String(early), signatureOf(BODY, ID, early)],
    [false, BODY, ID, at, other],
    [false, BODY, ID, at, good.slice(0, -4)],
    [false, BODY, ID, at, good.replace('v1,', 'v2,')],
    [false, BODY, ID, at, 'v1,not base64'],
    [false, BODY, ID, `${at}.0`, good],
    [false, BODY, ID, at, 'v1'],
  ];
}

/** Takes one event after another off standard input, and says of each whether it is valid. */
const PROGRAM = `public class Check {
  public static void main(String[] words) throws Exception {
    WebhookSignature signature = new WebhookSignature(words[0]);
    java.util.Base64.Decoder base64 = java.util.Base64.getDecoder();
    for (String line : new String(System.in.readAllBytes(), "UTF-8").split("\\n")) {
      String[] parts = line.split("\\t");
      System.out.println(signature.isValid(base64.decode(parts[0]), parts[1], parts[2], parts[3], Long.parseLong(words[1])));
    }
    System.out.println(signature.isValid(new byte[0], null, null, null, 0));
    try { new WebhookSignature(null); } catch (IllegalStateException fault) { System.out.println(fault.getMessage()); }
  }
}`;

describeWith({ javac: !isThere('javac', '-version') })('the class for Spring', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sutura-receiver-'));
    const page = await readFile(join(ROOT, 'docs/webhook-receivers.md'), 'utf8');
    await writeFile(join(folder, 'WebhookSignature.java'), /```java\n([\s\S]*?)```/.exec(page)![1]!);
    await writeFile(join(folder, 'Check.java'), PROGRAM);
    await said(folder, 'javac', '-Xlint:all', '-Werror', 'WebhookSignature.java', 'Check.java');
  }, 120_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('takes what the service signed and nothing else, and says where the secret is not set', async () => {
    const seconds = nowS();
    const lines = events(seconds).map(([, body, ...rest]) =>
      [Buffer.from(body).toString('base64'), ...rest].join('\t'),
    );
    await writeFile(join(folder, 'events'), lines.join('\n'));
    const answers = await said(folder, 'sh', '-c', `java -cp . Check '${SECRET}' ${seconds} < events`);
    expect(answers.split('\n')).toEqual([
      ...events(seconds).map(([isTaken]) => String(isTaken)),
      'false',
      'The secret of the webhook (whsec_…) is not set.',
    ]);
  }, 60_000);
});

/** A receiver of the documentation as its own process. */
class Receiver {
  private constructor(
    private readonly child: ChildProcess,
    private readonly url: string,
    readonly printed: () => string,
  ) {}

  static async start(
    program: string,
    words: readonly string[],
    cwd: string,
    env: NodeJS.ProcessEnv,
  ): Promise<Receiver> {
    const child = spawn(program, words, { cwd, env: { ...process.env, ...env, WEBHOOK_SECRET: SECRET } });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const port = await eventually(`the port of ${words.join(' ')}`, () => {
      if (child.exitCode !== null) throw new Error(text.slice(-2000));
      return /http:\/\/(?:127\.0\.0\.1|\[::1\]):(\d+)/.exec(text)?.[1];
    });
    return new Receiver(child, `http://127.0.0.1:${port}/sutura`, () => text);
  }

  async post([, body, id, timestamp, signature]: ReturnType<typeof events>[number]): Promise<number> {
    const headers = { 'content-type': 'application/json', 'webhook-id': id, 'webhook-timestamp': timestamp };
    return (await fetch(this.url, { method: 'POST', body, headers: { ...headers, 'webhook-signature': signature } }))
      .status;
  }

  stop(): void {
    this.child.kill();
  }
}

const LIBRARY = join(ROOT, 'sdk/javascript');
const answersOf = async (receiver: Receiver): Promise<number[]> => {
  const answers: number[] = [];
  for (const event of events(nowS())) answers.push(await receiver.post(event));
  return answers;
};
const WANTED = events(nowS()).map(([isTaken]) => (isTaken ? 204 : 400));

/** What it did with an event of this id: a line for each time. */
const timesDone = (receiver: Receiver): number => receiver.printed().split('größer').length - 1;

/** npm and pip fetch a framework into a folder of its own; false where they cannot. */
const FETCHED = mkdtempSync(join(tmpdir(), 'sutura-receivers-'));
afterAll(() => rmSync(FETCHED, { recursive: true, force: true }));
const byNpm = (...packages: string[]): boolean =>
  isThere('npm', 'install', '--prefix', FETCHED, '--no-save', '--no-audit', '--no-fund', ...packages);
const byPip = (...packages: string[]): boolean =>
  isThere('python3', '-c', `import ${packages.join(', ')}`) ||
  isThere(
    'python3',
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--target',
    FETCHED,
    ...packages,
  );

const PYTHON = join(ROOT, 'sdk/python/example');
const PYTHON_ENV = {
  PYTHONPATH: [join(ROOT, 'sdk/python/src'), FETCHED].join(':'),
  PYTHONDONTWRITEBYTECODE: '1',
  PYTHONUNBUFFERED: '1',
};

interface Documented {
  readonly name: string;
  /** False: what it needs is not here and cannot be fetched. */
  readonly isHere: () => boolean;
  readonly start: (folder: string) => Promise<Receiver>;
}

/** An example of the JavaScript library in a folder that has the library and the framework. */
async function startNode(folder: string, example: string, modules: string, framework?: string): Promise<Receiver> {
  await mkdir(join(folder, 'node_modules/@sutura'), { recursive: true });
  await symlink(LIBRARY, join(folder, 'node_modules/@sutura/sdk'));
  if (framework !== undefined) await symlink(join(modules, framework), join(folder, 'node_modules', framework));
  await writeFile(join(folder, 'receiver.mjs'), readFileSync(join(LIBRARY, 'example', example)));
  return Receiver.start(process.execPath, ['receiver.mjs'], folder, { PORT: '0' });
}

const hasLibrary = (): boolean => existsSync(join(LIBRARY, 'dist/index.mjs'));
const OWN = join(ROOT, 'node_modules');
const RECEIVERS: readonly Documented[] = [
  { name: 'Node.js alone', isHere: hasLibrary, start: (folder) => startNode(folder, 'webhook-http.mjs', OWN) },
  {
    name: 'Express',
    isHere: () => hasLibrary() && byNpm('express@5'),
    start: (folder) => startNode(folder, 'webhook-express.mjs', join(FETCHED, 'node_modules'), 'express'),
  },
  {
    name: 'Fastify',
    isHere: () => hasLibrary() && existsSync(join(OWN, 'fastify')),
    start: (folder) => startNode(folder, 'webhook-fastify.mjs', OWN, 'fastify'),
  },
  {
    name: 'Python alone',
    isHere: () => isThere('python3', '--version'),
    start: () => Receiver.start('python3', ['webhook_http.py'], PYTHON, { ...PYTHON_ENV, PORT: '0' }),
  },
  {
    name: 'Flask',
    isHere: () => byPip('flask'),
    start: () =>
      Receiver.start('python3', ['-m', 'flask', '--app', 'webhook_flask', 'run', '--port', '0'], PYTHON, PYTHON_ENV),
  },
  {
    name: 'FastAPI',
    isHere: () => byPip('fastapi', 'uvicorn'),
    start: () => Receiver.start('python3', ['-m', 'uvicorn', 'webhook_fastapi:app', '--port', '0'], PYTHON, PYTHON_ENV),
  },
];

for (const { name, isHere, start } of RECEIVERS)
  describeWith({ [name]: !isHere() })(`the receiver for ${name}`, () => {
    it('does once what the service signed, also when it comes again, and refuses everything else', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'sutura-receiver-'));
      const receiver = await start(folder);
      try {
        expect([await answersOf(receiver), await receiver.post(events(nowS())[0]!)]).toEqual([WANTED, 204]);
        expect(timesDone(receiver)).toBe(1);
      } finally {
        receiver.stop();
        await rm(folder, { recursive: true, force: true });
      }
    }, 120_000);
  });

/** Spring as its page has it: a web server and a database. */
const SPRING_POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>example</groupId><artifactId>receiver</artifactId><version>1</version>
  <properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
  <dependencies>
    <dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-web</artifactId><version>3.5.6</version></dependency>
    <dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-jdbc</artifactId><version>3.5.6</version></dependency>
    <dependency><groupId>org.postgresql</groupId><artifactId>postgresql</artifactId><version>42.7.7</version></dependency>
  </dependencies>
</project>`;
const SPRING_IMPORTS = [
  'java.nio.charset.StandardCharsets',
  'java.time.Instant',
  'org.springframework.http.HttpHeaders',
  'org.springframework.http.ResponseEntity',
  'org.springframework.jdbc.core.JdbcTemplate',
  'org.springframework.web.bind.annotation.*',
];
const SPRING_PROGRAM = `import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class Receiver {
  public static void main(String[] words) {
    var port = SpringApplication.run(Receiver.class, words).getEnvironment().getProperty("local.server.port");
    System.out.println("Listening on http://127.0.0.1:" + port + "/sutura");
  }
}`;

/** The page's classes are compiled here, by what Maven fetched. */
const SPRING = mkdtempSync(join(tmpdir(), 'sutura-spring-'));
afterAll(() => rmSync(SPRING, { recursive: true, force: true }));
writeFileSync(join(SPRING, 'pom.xml'), SPRING_POM);
const CLASSPATH = ['-q', '-B', 'dependency:build-classpath', '-Dmdep.outputFile=classpath'];
const lacksSpring = (): boolean =>
  LACKS_MAVEN['Java with Maven'] || !isThere('mvn', '-f', join(SPRING, 'pom.xml'), ...CLASSPATH);

describeWith({ 'Spring by Maven': lacksSpring() })('the receiver for Spring', () => {
  it('keeps once what the service signed, also when it comes again, and refuses everything else', async () => {
    const page = await readFile(join(ROOT, 'docs/webhook-receivers.md'), 'utf8');
    const source = join(SPRING, 'src/main/java/example');
    const controller = /The controller keeps the event and answers:\n\n```\n([\s\S]*?)```/.exec(page)![1]!;
    const files = {
      WebhookSignature: /```java\n([\s\S]*?)```/.exec(page)![1]!,
      SuturaWebhooks: `${SPRING_IMPORTS.map((name) => `import ${name};\n`).join('')}${controller}`,
      Receiver: SPRING_PROGRAM,
    };
    await mkdir(source, { recursive: true });
    for (const [name, text] of Object.entries(files))
      await writeFile(join(source, `${name}.java`), `package example;\n${text}`);
    await said(SPRING, 'mvn', '-q', '-B', 'compile');
    const database = await createEmptyDatabase();
    const { host, username, password, pathname } = new URL(database.url);
    await queryDatabase(database.url, /```sql\n(create table[^;]*);/.exec(page)![1]!);
    const path = ['target/classes', await readFile(join(SPRING, 'classpath'), 'utf8')].join(':');
    const receiver = await Receiver.start('java', ['-cp', path.trim(), 'example.Receiver', '--server.port=0'], SPRING, {
      SPRING_DATASOURCE_URL: `jdbc:postgresql://${host}${pathname}`,
      SPRING_DATASOURCE_USERNAME: decodeURIComponent(username),
      SPRING_DATASOURCE_PASSWORD: decodeURIComponent(password),
    });
    try {
      expect([await answersOf(receiver), await receiver.post(events(nowS())[0]!)]).toEqual([WANTED, 204]);
      const rows = await queryDatabase(database.url, 'select id, body from sutura_events');
      expect(rows).toEqual([{ id: ID, body: JSON.parse(BODY) as unknown }]);
    } finally {
      receiver.stop();
      await database.drop();
    }
  }, 400_000);
});
