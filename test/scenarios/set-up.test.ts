import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { startQuizService } from '../../src/sandbox/quiz-service/service.ts';
import { startWorkspace } from '../../src/sandbox/workspace/workspace.ts';
import { findFreePort } from '../support/loopback.ts';
import { read } from '../support/project-files.ts';
import { takeQuiz } from '../support/take-quiz.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { eventually } from '../support/watchdog.ts';

const [, section = ''] = /\n## Set up\n(.+?)\n## /s.exec(read('docs/install.md'))!;
const steps = [...section.matchAll(/^\d\. (.+(?:\n {3}- .+)*)$/gm)].map(([, step]) => step!);
const spansOf = (page: string) => [...page.matchAll(/`([^`]+)`/g)].map(([, span]) => span!);
const commandsOf = (page: string) => new Set(spansOf(page).filter((span) => /^(?:npm|chmod|\/quiz)/.test(span)));
const [install, tokens, account, variables, first] = steps as [string, string, string, string, string];

test('Set up leads from a fresh folder to a webhook that is announced, word for word', async () => {
  const done: string[] = [];
  const folder = temporaryDirectory();
  for (const name of ['package.json', 'package-lock.json', '.npmrc', 'manifest.yml', 'src'])
    cpSync(name, join(folder, name), { recursive: true });
  /** Begins a command as the page has it. @param real with what its placeholders stand for */
  const begin = (command: string, real = command) => {
    done.push(command);
    return spawn('sh', ['-c', real], { cwd: folder, env: { PATH: process.env['PATH'], HOME: folder } });
  };
  const run = async (...how: Parameters<typeof begin>) => {
    const child = begin(...how);
    const [stdout, [status]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    return { stdout, status: status as number };
  };

  expect(commandsOf(install)).toEqual(new Set(['npm ci --omit=dev', 'npm run manifest']));
  // The packages are those of this folder: a test of the packages installs them anew.
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const manifestOf = (printout: string) => printout.slice(printout.indexOf('display_information'));
  const printed = manifestOf((await run('npm run manifest')).stdout);
  expect(printed).toBe(manifestOf(readFileSync(join(folder, 'manifest.yml'), 'utf8')));
  const secrets = { SLACK_BOT_TOKEN: 'xoxb-set-up', SLACK_APP_TOKEN: 'xapp-set-up', QUIZ_API_KEY: 'key-of-set-up' };
  writeFileSync(join(folder, 'pasted.yml'), printed);
  const workspace = await startWorkspace({
    manifestPath: join(folder, 'pasted.yml'),
    botToken: secrets.SLACK_BOT_TOKEN,
    appToken: secrets.SLACK_APP_TOKEN,
    signingSecret: 'of-http',
  });
  onTestFinished(() => workspace.close());

  expect(commandsOf(tokens)).toEqual(new Set(['npm run manifest -- --url https://<your host>']));
  const overHttp = await run(
    'npm run manifest -- --url https://<your host>',
    'npm run manifest -- --url https://bot.example',
  );
  expect(overHttp.stdout).toContain('https://bot.example/slack/events');

  expect(spansOf(account).slice(0, 2)).toEqual(['response.submitted', 'https://<your host>/webhooks/quiz']);
  expect(account).toContain('`WEBHOOK_SCHEME` to `timestamp-secret`');
  const service = await startQuizService({ dataDir: ':memory:', apiKey: secrets.QUIZ_API_KEY });
  onTestFinished(() => service.close());
  const port = String(await findFreePort());
  const [secret, scheme] = ['a-secret-of-the-webhook', 'timestamp-secret'] as const;
  service.setWebhook({ url: `http://127.0.0.1:${port}/webhooks/quiz`, secret, scheme });

  const values: Record<string, string> = {
    ...secrets,
    QUIZ_API_URL: service.url,
    WEBHOOK_SECRET: secret,
    WEBHOOK_SCHEME: scheme,
  };
  const named = spansOf(variables).filter((span) => /^[A-Z]+_[A-Z_]+$/.test(span) && span !== 'SLACK_SIGNING_SECRET');
  expect(new Set(named)).toEqual(new Set(Object.keys(values)));
  // The stand-in for Slack has an address of its own, and the port has to be free.
  const own: Record<string, string> = {
    SLACK_API_URL: workspace.apiUrl,
    PORT: port,
    HOST: '127.0.0.1',
    DATA_DIR: 'data',
  };
  for (const [name, value] of Object.entries({ ...values, ...own }))
    appendFileSync(join(folder, '.env'), `${name}=${value}\n`);
  expect(commandsOf(variables)).toEqual(new Set(['chmod 600 .env', 'npm run doctor', 'npm start']));
  expect((await run('chmod 600 .env')).status).toBe(0);
  expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600);
  const doctor = await run('npm run doctor');
  expect(doctor.stdout).toContain('Nothing has to be mended.');
  expect(doctor.status).toBe(0);
  const bot = begin('npm start');
  onTestFinished(async () => {
    bot.kill();
    await once(bot, 'exit');
  });
  await eventually(async () => expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200));
  await workspace.until(() => workspace.sockets === 1);

  expect([...commandsOf(first)]).toEqual(['/quiz-admin whoami', '/quiz-alerts subscribe', '/quiz-alerts test']);
  const ada = workspace.as(workspace.people.ada.id);
  const channel = workspace.channels.results.id;
  const type = async (command: string) => {
    done.push(command);
    return JSON.stringify(await (await ada.command(command, { channel })).reply());
  };
  expect(await type('/quiz-admin whoami')).toContain('dministrator');
  const subscribe = '/quiz-alerts subscribe';
  done.push(subscribe);
  const form = await (await ada.command(subscribe, { channel })).view();
  expect((await ada.submit(form, {})).errors).toBeUndefined();
  await type('/quiz-alerts test');
  const quiz = service.database.get<{ quiz_id: string }>("SELECT quiz_id FROM quizzes WHERE status = 'open'");
  await takeQuiz(service.url, quiz!.quiz_id);
  await workspace.until(() => JSON.stringify(workspace.messages(channel)).includes('Ines Guest'));
  // Counters are written every few seconds.
  await eventually(async () => expect(await type('/quiz-admin status')).toMatch(/Webhooks\* (?!none)/));

  const told = [...commandsOf(section)].filter((command) => command !== 'npm ci --omit=dev');
  expect(new Set(done)).toEqual(new Set(told));
});
