import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listenOnLoopback } from '../support/loopback.ts';
import { temporaryDirectory } from '../support/temporary.ts';

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
