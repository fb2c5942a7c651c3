import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listenOnLoopback } from '../support/loopback.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { read } from '../support/project-files.ts';

/** Runs `npm run audit` against a registry that answers so. */
async function runAudit(answer: RequestListener) {
  const registry = createServer(answer);
  const address = await listenOnLoopback(registry);
  onTestFinished(() => void registry.close());
  const program = spawn(process.execPath, ['test/packages/main.ts'], {
    env: {
      ...process.env,
      npm_config_registry: `${address}/`,
      npm_config_cache: temporaryDirectory(),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed, [code]] = await Promise.all([text(program.stdout), once(program, 'exit')]);
  return { code: code as number, printed: printed.trimEnd() };
}

const answerJson =
  (advisories: unknown): RequestListener =>
  (request, response) => {
    const isAudit = request.url?.includes('advisories');
    response.writeHead(isAudit ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isAudit ? advisories : {}));
  };

describe('npm run audit', () => {
  test('fails with the name, the severity and the advisory of a package that the bot runs with', async () => {
    const advisory = {
      id: 1,
      url: 'https://advisories.example/1',
      title: 'Reads what is not its own',
      severity: 'high',
      vulnerable_versions: '<1000',
      cwe: [],
      cvss: { score: 7, vectorString: null },
    };
    const { code, printed } = await runAudit(answerJson({ zod: [advisory] }));
    expect(printed).toContain('zod: high: Reads what is not its own');
    expect(code).toBe(1);
  });

  test('passes where nothing is known', async () => {
    expect(await runAudit(answerJson({}))).toEqual({
      code: 0,
      printed: 'No known vulnerability in the packages that the bot runs with.',
    });
  });

  test('says that nothing was checked where the registry gives no audits', async () => {
    const { code, printed } = await runAudit((_request, response) => response.writeHead(405).end());
    expect(printed).toMatch(/^Vulnerabilities were not checked: the registry gives no audits \(405/);
    expect(printed).not.toContain('127.0.0.1');
    expect(code).toBe(0);
  });
});

interface Package {
  version: string;
  license?: string;
  dev?: boolean;
  devOptional?: boolean;
  optional?: boolean;
}

const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Package> };
/** What an installation with `npm ci --omit=dev --omit=optional` can hold, as the image has it. */
const shipped = Object.entries(packages)
  .filter(([path, { dev, devOptional, optional }]) => path !== '' && !dev && !devOptional && !optional)
  .map(([path, { version, license }]) => ({
    name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    version,
    license: license ?? 'unknown',
  }))
  .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1));

/** They ask for nothing but that their text is kept: https://spdx.org/licenses */
const permissive = new Set(['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT']);

/** Fonts, which may be used and passed on with a program, but not sold alone: https://openfontlicense.org */
const isFont = ({ name, license }: (typeof shipped)[number]) =>
  name.startsWith('@fontsource/') && license === 'OFL-1.1';

test('every package that the bot runs with has a permissive license', () => {
  expect(shipped.length).toBeGreaterThan(20);
  expect(shipped.filter((one) => !permissive.has(one.license) && !isFont(one))).toEqual([]);
});

test('docs/reference/licenses.md lists them', async () => {
  const counts = Object.entries(Object.groupBy(shipped, ({ license }) => license))
    .map(([license, of = []]) => ({ license, count: of.length }))
    .toSorted((a, b) => b.count - a.count);
  await expect(
    `${[
      '# Licenses',
      '',
      'For people who check licenses: the packages that the bot runs with, and their licenses as the packages name them. Generated from `package-lock.json`. After a change of packages: `npx vitest run test/packages --update`.',
      '',
      `${shipped.length} packages: ${counts.map(({ license, count }) => `${count} ${license}`).join(', ')}.`,
      '',
      '| Package | Version | License |',
      '|---|---|---|',
      ...shipped.map(({ name, version, license }) => `| \`${name}\` | ${version} | ${license} |`),
    ].join('\n')}\n`,
  ).toMatchFileSnapshot('../../docs/reference/licenses.md');
});
