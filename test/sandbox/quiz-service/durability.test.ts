import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, onTestFinished } from 'vitest';
import { startReceiver, testApiKey, call, get, startTestService } from './support/service.ts';
import { fillIn, registerAsGuest, startAttempt, visit } from './support/respondent.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { programEnv } from '../../support/child-process.ts';

const mainFile = 'src/sandbox/quiz-service/main.ts';

interface ServiceProcess {
  url: string;
  child: ChildProcess;
  /** Resolves when the process has exited. @returns its exit code or signal */
  end: (signal: NodeJS.Signals) => Promise<number | string>;
  /** The output so far. */
  lines: string[];
}

/** Starts the service in a process of its own, on any free port. */
async function startServiceProcess(environment: Record<string, string>): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [mainFile], {
    env: { ...programEnv, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'close');
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      lines.push(line);
      const match = /^Quiz service: (.+)$/.exec(line);
      if (match?.[1]) resolve(match[1]);
    });
    child.once('exit', () => reject(new Error('The service did not start.')));
  });
  return {
    url,
    child,
    lines,
    async end(signal) {
      child.kill(signal);
      const [code, killedBy]: (number | string | null)[] = await exited;
      return code ?? killedBy ?? '';
    },
  };
}

const environment = (dataDir: string) => ({
  DATA_DIR: dataDir,
  QUIZ_API_KEY: testApiKey,
  QUIZ_RATE_PER_MINUTE: '1000000',
  QUIZ_RATE_PER_HOUR: '1000000',
});

test('after a kill during writes, the service has everything it confirmed', async () => {
  const dataDir = temporaryDirectory();
  const created = new Map<string, string>();
  const closed = new Set<string>();
  for (let round = 1; round <= 3; round += 1) {
    const service = await startServiceProcess(environment(dataDir));
    const writeUntilKilled = async (writer: number) => {
      for (let i = 0; ; i += 1) {
        const name = `Quiz ${round}.${writer}.${i}`;
        const { body } = await call(service, 'POST', '/quizzes', { name });
        created.set(body.quiz_id, name);
        await call(service, 'POST', `/quizzes/${body.quiz_id}`, { status: 'closed' });
        closed.add(body.quiz_id);
        if (closed.size >= 40 * round) void service.end('SIGKILL');
      }
    };
    await Promise.allSettled([1, 2, 3, 4].map(writeUntilKilled));

    const next = await startServiceProcess(environment(dataDir));
    const quizzes: { quiz_id: string; name: string; status: string }[] = (await call(next, 'GET', '/quizzes')).body;
    const kept = new Map(quizzes.map((quiz) => [quiz.quiz_id, quiz]));
    for (const [quizId, name] of created) expect(kept.get(quizId)?.name).toBe(name);
    for (const quizId of closed) expect(kept.get(quizId)?.status).toBe('closed');
    expect(await next.end('SIGKILL')).toBe('SIGKILL');
  }
  expect(closed.size).toBeGreaterThanOrEqual(120);
});

test('after a kill following a submission, the service delivers its event', async () => {
  const dataDir = temporaryDirectory();
  const receiver = await startReceiver((number) => (number === 1 ? undefined : 200));
  const withWebhook = { ...environment(dataDir), WEBHOOK_URL: receiver.url };
  const first = await startServiceProcess(withWebhook);
  const quizzes: { quiz_id: string; status: string }[] = (await call(first, 'GET', '/quizzes')).body;
  const quizId = quizzes.find((quiz) => quiz.status === 'open')?.quiz_id ?? '';
  const attempt = await registerAsGuest(first, quizId);
  const fields = await startAttempt(first, attempt);
  await visit(first, attempt, { form: fillIn(fields, []) });
  await receiver.next(1);
  await first.end('SIGKILL');

  const second = await startTestService({ dataDir, now: () => Date.now() + 60_000 });
  const [lost, delivered] = await receiver.next(2);
  expect(delivered?.event).toEqual({ ...lost?.event, delivery_attempt: 2 });
  expect(await get(second, `/quizzes/${quizId}/responses/${delivered?.event.data.response_id}`)).toMatchObject({
    status: 'submitted',
  });
});

test('the first start prints a key, and the next one the same', async () => {
  const dataDir = temporaryDirectory();
  const first = await startServiceProcess({ DATA_DIR: dataDir });
  expect(await first.end('SIGTERM')).toBe(0);
  const second = await startServiceProcess({ DATA_DIR: dataDir });
  expect(await second.end('SIGINT')).toBe(0);
  const keyLine = first.lines.find((line) => line.startsWith('API key: '));
  expect(keyLine).toMatch(/^API key: [\w-]{32}$/);
  expect(second.lines).toContain(keyLine);
});

test('only the owner of the file can read the database', async () => {
  const dataDir = temporaryDirectory();
  await startTestService({ dataDir });
  expect(statSync(join(dataDir, 'quiz-service.sqlite')).mode & 0o777).toBe(0o600);
});

test('a restart sets a configured key', async () => {
  const dataDir = temporaryDirectory();
  await (await startTestService({ dataDir })).close();
  const second = await startTestService({ dataDir, apiKey: 'another-key' });
  expect(second.isNew).toBe(false);
  expect((await call(second, 'GET', '/groups', undefined, { 'x-api-key': 'another-key' })).status).toBe(200);
});

test('the next start completes what a killed start left incomplete', async () => {
  const dataDir = temporaryDirectory();
  const first = await startTestService({ dataDir, sample: 'empty' });
  first.database.run('DELETE FROM account');
  first.database.run('DELETE FROM names_taken_elsewhere');
  await first.close();
  const second = await startTestService({ dataDir });
  expect(second.isNew).toBe(true);
  expect((await get(second, '/quizzes')).length).toBeGreaterThan(0);
});
