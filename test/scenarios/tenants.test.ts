import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { sampleQuizzes } from '../../src/sandbox/quiz-service/sample/quizzes.ts';
import { eventBody, sign } from '../support/event.ts';
import { openTenantsBed, type BedTenant, type TenantsBed } from '../support/tenants-bed.ts';
import { takeQuiz } from '../support/take-quiz.ts';
import { textOf } from '../support/test-bed.ts';
import { askDoctor, runDoctor } from '../support/doctor.ts';

/** The quizzes of an account, each with the name of its owner. */
const quizzesOf = (name: string) => sampleQuizzes.map((quiz) => ({ ...quiz, name: `${quiz.name} of ${name}` }));

async function listOf({ workspace }: BedTenant, text = '/quiz list'): Promise<string> {
  return textOf(await (await workspace.as(workspace.people.ada.id).command(text)).reply());
}

const names = ['acme', 'globex'];

const cleanUps: (() => unknown)[] = [];
let opened: Promise<TenantsBed> | undefined;
afterAll(async () => {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp();
});

/** Two tenants with an account each, for all tests that need them. */
async function twoTenants() {
  const bed = await (opened ??= openTenantsBed(
    { names, optionsOf: (name) => ({ quizService: { quizzes: quizzesOf(name) } }) },
    (cleanUp) => cleanUps.push(cleanUp),
  ));
  return { bed, acme: bed.tenants.get('acme')!, globex: bed.tenants.get('globex')! };
}

const shownIn = ({ workspace }: BedTenant) =>
  JSON.stringify([workspace.calls, workspace.messages(workspace.channels.results.id)]);

async function arrives({ workspace }: BedTenant, count = 1): Promise<void> {
  await workspace.until(() => workspace.messages(workspace.channels.results.id).length >= count);
}

async function submit(tenant: BedTenant): Promise<void> {
  const { quizService } = tenant;
  const [quiz] = quizService.database.all<{ quiz_id: string }>("SELECT quiz_id FROM quizzes WHERE status = 'open'");
  await takeQuiz(quizService.url, quiz!.quiz_id);
  await arrives(tenant);
}

test('lines of the log, metrics and readiness say whose they are', async () => {
  const { bed, acme } = await twoTenants();
  await listOf(acme);
  const up = bed.lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'the bot of a tenant is up');
  expect(up.map(({ tenant }) => tenant).toSorted((a, b) => a.localeCompare(b))).toEqual(names);
  const metrics = await (await fetch(`${bed.url}/metrics`)).text();
  expect(metrics).toMatch(/^invigilator_operations_total\{operation="list-quizzes",outcome="done"\} 1$/m);
  for (const name of names) {
    const own = metrics.split('\n').filter((line) => line.includes(`tenant="${name}"`));
    expect(own).toContain(`invigilator_webhooks_total{outcome="taken",tenant="${name}"} 0`);
    expect(own.length).toBeLessThan(60);
  }
  expect(metrics.match(/^# TYPE invigilator_webhooks_total /gm)).toHaveLength(1);
  expect(metrics.match(/^invigilator_build_info/gm)).toHaveLength(1);
  const ready = await fetch(`${bed.url}/readyz`);
  expect({ status: ready.status, body: await ready.json() }).toEqual({
    status: 200,
    body: { ready: true, tenants: { acme: 'up', globex: 'up' } },
  });
  await expect.poll(async () => (await fetch(`${bed.url}/readyz/acme`)).status).toBe(200);
  expect((await fetch(`${bed.url}/readyz/nobody`)).status).toBe(404);
});

test('each tenant answers its own people about its own account, and announces its own submissions', async () => {
  const { acme, globex } = await twoTenants();
  for (const tenant of [acme, globex]) {
    expect(await listOf(tenant)).toContain(`of ${tenant.name}`);
    await submit(tenant);
  }
  expect(shownIn(acme)).not.toContain('of globex');
  expect(shownIn(globex)).not.toContain('of acme');
});

function signedRequest(secret: string) {
  const body = JSON.stringify({ type: 'url_verification', challenge: 'it is me' });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`;
  return {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': signature,
    },
  };
}

test('a request signed with the secret of one tenant is refused at the address of another, and without a name there is no address', async () => {
  const { bed } = await twoTenants();
  const statuses = async (request: object) =>
    Promise.all(
      ['/slack/events/acme', '/slack/events/globex', '/slack/events', '/slack/events/nobody'].map(
        async (path) => (await fetch(bed.url + path, request)).status,
      ),
    );
  expect(await statuses(signedRequest(bed.secrets['ACME_SIGNING']!))).toEqual([200, 401, 404, 404]);
  expect(await statuses(signedRequest('a secret of nobody'))).toEqual([401, 401, 404, 404]);
});

test('a webhook signed with the secret of one account is refused at the address of another', async () => {
  const { bed } = await twoTenants();
  const body = eventBody();
  const send = async (path: string, secret: string) =>
    (await fetch(bed.url + path, { method: 'POST', body, headers: { 'x-webhook-signature': sign(body, secret) } }))
      .status;
  const secret = bed.secrets['ACME_HOOK']!;
  expect(await send('/webhooks/quiz/globex', secret)).toBe(401);
  expect(await send('/webhooks/quiz/acme', secret)).toBe(200);
  expect(await send('/webhooks/quiz/acme/', secret)).toBe(200);
  for (const path of ['/webhooks/quiz', '/webhooks/Quiz/acme', '/webhooks/quiz/acne'])
    expect(await send(path, secret)).toBe(404);
  const metrics = await (await fetch(`${bed.url}/metrics`)).text();
  expect(metrics).toMatch(/^invigilator_webhooks_total\{outcome="address",tenant="acme"\} 1$/m);
});

test('tenants that share an account have one webhook and one budget, and each announces in its own channel', async () => {
  const bed = await openTenantsBed(
    { names: ['north', 'south'], accounts: ['group'], optionsOf: () => ({ account: 'group' }) },
    onTestFinished,
  );
  const [north, south] = [bed.tenants.get('north')!, bed.tenants.get('south')!];
  for (const tenant of [north, south]) expect(await listOf(tenant)).toContain('Workplace safety basics');
  // The lists were read once for both.
  const metrics = await (await fetch(`${bed.url}/metrics`)).text();
  expect(metrics).toMatch(/^invigilator_quiz_calls_total\{operation="quizzes.list",status="200"\} 1$/m);
  await Promise.all([submit(north), arrives(south)]);
  const announced = ({ workspace }: BedTenant) => workspace.messages(workspace.channels.results.id).length;
  expect([announced(north), announced(south)]).toEqual([1, 1]);
  // The account has no address of its own: that of any of its tenants is that of them all.
  const body = eventBody();
  const send = async (name: string) =>
    fetch(`${bed.url}/webhooks/quiz/${name}`, {
      method: 'POST',
      body,
      headers: { 'x-webhook-signature': sign(body, bed.secrets['GROUP_HOOK']) },
    });
  expect((await send('group')).status).toBe(404);
  expect((await send('north')).status).toBe(200);
  await Promise.all([north, south].map((tenant) => arrives(tenant, 2)));
});

test('the doctor checks one tenant of the file, with its own address, while its bot runs', async () => {
  const { bed } = await twoTenants();
  const env = { ...bed.secrets, TENANTS_FILE: bed.path, DATA_DIR: bed.dataDir };

  const { lines, code } = await runDoctor(env, undefined, ['--tenant', 'acme', '--url', bed.url]);
  expect(lines.filter((line) => line.includes('✗'))).toEqual([]);
  expect(lines.join('\n')).toContain(`${bed.url}/slack/events/acme`);
  expect(code).toBe(0);

  expect((await askDoctor(env)).lines.join('\n')).toContain(
    'Name a tenant of TENANTS_FILE: npm run doctor -- --tenant acme. It has: acme, globex.',
  );
  expect((await askDoctor(env, { tenant: 'initech' })).lines.join('\n')).toContain(
    'TENANTS_FILE has no tenant initech. It has: acme, globex.',
  );
  const path = join(bed.dataDir, 'faulty.yml');
  writeFileSync(
    path,
    stringify({ tenants: { acme: { TIME_ZONE: 'Atlantis' }, 'No name': {}, globex: { OWNERS: 'tom' } } }),
  );
  const ofAll = (await askDoctor({ ...env, TENANTS_FILE: path })).lines.filter((line) => line.includes('✗'));
  expect(ofAll).toEqual(
    expect.arrayContaining([
      '✗ Configuration: The tenant acme: TIME_ZONE must be a time zone name such as Europe/Berlin.',
      expect.stringContaining('✗ Configuration: The tenant No name: The name No name must have at most 40'),
      expect.stringContaining('✗ Configuration: The tenant globex: OWNERS must be Slack user ids'),
      expect.stringContaining('Name a tenant of TENANTS_FILE'),
    ]),
  );
  const faulty = await askDoctor({ ...env, TENANTS_FILE: path }, { tenant: 'acme' });
  expect(faulty.lines.join('\n')).toContain('TIME_ZONE must be a time zone name such as Europe/Berlin.');
  expect(faulty.code).toBe(1);
});
