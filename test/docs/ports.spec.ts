import { load, loadAll } from 'js-yaml';
import { SECTIONS } from '../../src/platform/config/settings-schema.js';
import { readSettings } from '../../src/platform/config/settings.js';
import { rowsOf, textOf } from './pages.js';

const PAGE = textOf('docs/ports-and-data-flows.md');
const ROWS = rowsOf(PAGE);
const VARIABLES = Object.values(SECTIONS)
  .flatMap((section) => Object.values(section) as { readonly name: string }[])
  .map(({ name }) => name);

interface Ported {
  readonly ports?: readonly string[];
  readonly kind?: string;
  readonly spec?: Record<'ingress' | 'egress', { ports?: { port: number | string }[] }[] | undefined>;
}

const portsNamed = (text: string): number[] => [...text.matchAll(/\b\d{2,5}\b/g)].map(([port]) => Number(port));

describe('docs/ports-and-data-flows.md', () => {
  it('names every setting that says where to listen or whom to connect to', () => {
    const ofNetwork = VARIABLES.filter((name) =>
      /(_|^)(PORT|HOST|URL|ENDPOINT|SENTINELS|NETWORKS|PROXY|PLAIN)$/.test(name),
    );
    expect(ofNetwork.length).toBeGreaterThan(10);
    expect(ofNetwork.filter((name) => !PAGE.includes(`\`${name}\``))).toEqual([]);
  });

  it('names no setting that there is not', () => {
    const written = [...PAGE.matchAll(/`([A-Z][A-Z0-9]*_[A-Z0-9_]+)`/g)].map(([, name]) => name);
    expect(written.filter((name) => !VARIABLES.includes(name!))).toEqual([]);
  });

  it('states the ports and addresses that the settings have by default', () => {
    const { http, hl7 } = readSettings({});
    const listening = (setting: string): string[] => ROWS.find((row) => row[2] === `\`${setting}\``)!;
    expect(listening('PORT')[0]).toBe(String(http.port));
    expect(listening('PORT')[3]).toBe(`\`HOST\` (${http.host})`);
    expect(listening('HL7_PORT')[0]).toBe(String(hl7.port));
    expect(listening('HL7_PORT')[3]).toBe(`\`HL7_HOST\` (${hl7.host})`);
  });

  it('is right that nothing is connected to without a setting', () => {
    const defaults = new Map(rowsOf(textOf('docs/settings.md')).map(([name, fallback]) => [name, fallback]));
    const out = ROWS.filter((row) => row.length === 6 && defaults.has(row[3]!));
    expect(out.length).toBeGreaterThan(5);
    expect(out.filter(([, , , setting]) => defaults.get(setting) !== '–')).toEqual([]);
  });

  it('names every port that compose.yaml opens', () => {
    const { services } = load(textOf('compose.yaml')) as { services: Record<string, Ported> };
    const open = Object.values(services).flatMap(({ ports = [] }) => ports.map((port) => Number(port.split(':')[0])));
    expect(open.length).toBeGreaterThan(1);
    expect(portsNamed(PAGE)).toEqual(expect.arrayContaining(open));
  });

  it('names every port that the network policies of a cluster let through', () => {
    const policies = (loadAll(textOf('ops/kustomize/base/network-policies.yaml')) as Ported[]).filter(
      ({ kind }) => kind === 'NetworkPolicy',
    );
    const passed = policies
      .flatMap(({ spec }) => [...(spec?.ingress ?? []), ...(spec?.egress ?? [])])
      .flatMap(({ ports = [] }) => ports.map(({ port }) => port))
      .filter((port): port is number => typeof port === 'number' && port !== 1024);
    expect(passed.length).toBeGreaterThan(4);
    expect(portsNamed(PAGE)).toEqual(expect.arrayContaining(passed));
  });
});
