import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eventBody, sign } from '../support/event.ts';
import { openTenantsBed, type BedOptions, type BedTenant, type TenantsBed } from '../support/tenants-bed.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { textOf } from '../support/test-bed.ts';

const startBed = (options: BedOptions) => openTenantsBed(options, onTestFinished);

async function listOf({ workspace }: BedTenant): Promise<string> {
  return textOf(await (await workspace.as(workspace.people.ada.id).command('/quiz list')).reply());
}

async function statusOfWebhook({ url }: TenantsBed, name: string, secret: string, id = 'e-1'): Promise<number> {
  const body = eventBody({ event_id: id });
  const headers = { 'x-webhook-signature': sign(body, secret) };
  return (await fetch(`${url}/webhooks/quiz/${name}`, { method: 'POST', body, headers })).status;
}

async function readinessOf({ url }: TenantsBed, name = '') {
  const response = await fetch(`${url}/readyz${name === '' ? '' : `/${name}`}`);
  return { status: response.status, body: response.status === 404 ? undefined : await response.json() };
}

test('a restart reads the file again: a tenant is added, changed and taken out, and nothing is lost', async () => {
  const bed = await startBed({ names: ['acme', 'initech'] });
  const [acme, initech] = ['acme', 'initech'].map((name) => bed.tenants.get(name)!);
  const globex = await bed.open('globex');
  acme!.settings['NOTIFY_RESPONDENTS'] = false;
  expect(await statusOfWebhook(bed, 'acme', bed.secrets['ACME_HOOK']!)).toBe(200);
  bed.tenants.delete('initech');
  bed.write();
  // What runs does not follow the file.
  expect((await readinessOf(bed, 'globex')).status).toBe(404);
  expect(await listOf(initech!)).toContain('Workplace safety');
  await bed.restart();
  expect(await readinessOf(bed)).toEqual({
    status: 200,
    body: { ready: true, tenants: { acme: 'up', globex: 'up' } },
  });
  expect(await listOf(globex)).toContain('Workplace safety');
  expect(await listOf(acme!)).toContain('Workplace safety');
  expect(acme!.workspace.messages(acme!.workspace.channels.results.id)).toHaveLength(1);
  expect((await fetch(`${bed.url}/slack/events/initech`, { method: 'POST', body: '{}' })).status).toBe(404);
});

test('a tenant that can’t start, or is described wrongly, stops no other, and readiness says why', async () => {
  const names = ['acme', 'broken', 'faulty', 'listed', 'folder', 'pipe'];
  const secretsFolder = temporaryDirectory();
  mkdirSync(join(secretsFolder, 'folder'));
  execFileSync('mkfifo', [join(secretsFolder, 'pipe')]);
  const wrong: Record<string, Record<string, unknown>> = {
    faulty: { TIME_ZONE: 'Atlantis' },
    listed: { OWNERS: [['U1']] },
    acme: { LANGUAGE: '"en"' },
  };
  const bed = await startBed({
    names,
    optionsOf: (name) => ({ settings: wrong[name] ?? {} }),
    onOpened({ name, settings }) {
      if (name !== 'folder' && name !== 'pipe') return;
      delete settings['WEBHOOK_SECRET_ENV'];
      settings['WEBHOOK_SECRET_FILE'] = join(secretsFolder, name);
    },
    // The folder of one tenant is a file.
    prepare: (dataDir) => writeFileSync(join(dataDir, 'tenants', 'broken'), ''),
  });
  const [acme, broken, faulty] = ['acme', 'broken', 'faulty'].map((name) => bed.tenants.get(name)!);
  expect(await listOf(acme!)).toContain('Workplace safety');
  const { status, body } = await readinessOf(bed);
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      ready: true,
      tenants: {
        acme: 'up',
        ...Object.fromEntries(names.slice(1).map((name) => [name, 'broken'])),
      },
      problems: {
        broken: expect.stringMatching(/^could not start \(E\w+\), and is tried again$/),
        faulty: 'TIME_ZONE must be a time zone name such as Europe/Berlin.',
        listed: 'OWNERS must be a value, or a list of values.',
        folder: expect.stringMatching(/^WEBHOOK_SECRET_FILE names .*, which is a folder\./),
        pipe: expect.stringMatching(/^WEBHOOK_SECRET_FILE names .*, which is no ordinary file\./),
      },
    },
  });
  expect(await readinessOf(bed, 'faulty')).toEqual({
    status: 503,
    body: { ready: false, bot: 'TIME_ZONE must be a time zone name such as Europe/Berlin.' },
  });
  const running = async () => (await (await fetch(`${bed.url}/metrics`)).text()).match(/^invigilator_tenant_up\{.*$/gm);
  expect(await running()).toEqual(
    names.map((name) => `invigilator_tenant_up{tenant="${name}"} ${name === 'acme' ? 1 : 0}`),
  );
  for (const name of ['broken', 'faulty'])
    expect((await fetch(`${bed.url}/slack/events/${name}`, { method: 'POST', body: '{}' })).status).toBe(503);
  const told = bed.lines.map((line) => JSON.parse(line)).find(({ tenant }) => tenant === 'faulty');
  expect(told).toMatchObject({ level: 'error', faults: ['TIME_ZONE must be a time zone name such as Europe/Berlin.'] });

  const noticed = bed.lines.map((line) => JSON.parse(line)).filter(({ msg }) => /quotation marks/.test(msg));
  expect(noticed).toEqual([
    expect.objectContaining({ level: 'warn', tenant: 'acme', msg: expect.stringContaining('LANGUAGE') }),
  ]);

  bed.unblock('broken');
  await expect.poll(async () => readinessOf(bed)).toMatchObject({ body: { tenants: { broken: 'up' } } });
  expect(await running()).toContain('invigilator_tenant_up{tenant="broken"} 1');
  expect(await listOf(broken!)).toContain('Workplace safety');
  delete faulty!.settings['TIME_ZONE'];
  await bed.restart();
  expect(await listOf(faulty!)).toContain('Workplace safety');
});

test('a workspace that removes the app is told of, takes nothing from another tenant, and comes back', async () => {
  const bed = await startBed({ names: ['acme', 'globex'] });
  const [acme, globex] = [bed.tenants.get('acme')!, bed.tenants.get('globex')!];
  const readiness = async () => {
    const response = await fetch(`${bed.url}/readyz/globex`);
    return { status: response.status, body: await response.text() };
  };
  await expect.poll(readiness).toMatchObject({ status: 200 });
  await globex.workspace.setInstalled(false);
  await expect.poll(readiness).toMatchObject({ status: 503, body: expect.stringContaining('token_revoked') });
  const told = bed.lines
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => /removed the app|revoked the bot token/.test(msg));
  expect(told.map(({ tenant, level }) => [tenant, level])).toEqual([
    ['globex', 'error'],
    ['globex', 'error'],
  ]);
  expect(await listOf(acme)).toContain('Workplace safety');
  await globex.workspace.setInstalled(true);
  await expect.poll(readiness).toMatchObject({ status: 200 });
  expect(await listOf(globex)).toContain('Workplace safety');
});

test('a slip in one tenant keeps no old secret of its account in force', async () => {
  const bed = await startBed({
    names: ['north', 'south'],
    accounts: ['group'],
    optionsOf: () => ({ account: 'group' }),
  });
  const before = bed.secrets['GROUP_HOOK']!;
  expect(await statusOfWebhook(bed, 'south', before)).toBe(200);
  const after = 'the-next-secret-of-the-group';
  bed.secrets['GROUP_HOOK'] = after;
  bed.tenants.get('north')!.settings['TIME_ZONE'] = 'Atlantis';
  await bed.restart();
  expect((await readinessOf(bed, 'north')).status).toBe(503);
  // The webhook of the account can be at the address of either.
  for (const name of ['north', 'south']) {
    expect(await statusOfWebhook(bed, name, before, `old-${name}`)).toBe(401);
    expect(await statusOfWebhook(bed, name, after, `new-${name}`)).toBe(200);
  }
});

test('connections that never finish their bodies keep out no webhook, and unsigned ones are refused by their head', async () => {
  const bed = await startBed({ names: ['acme', 'globex'] });
  const { port } = new URL(bed.url);
  const answers: string[] = [];
  for (let count = 0; count < 80; count += 1) {
    const socket = connect(Number(port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const signature = count % 2 === 0 ? `x-webhook-signature: ${'0'.repeat(64)}\r\n` : '';
    socket.write(
      `POST /webhooks/quiz/acme HTTP/1.1\r\nhost: bot\r\n${signature}content-length: 1000\r\n\r\n{"event_id": "`,
    );
    socket.on('data', (chunk: Buffer) => answers.push(chunk.toString('utf8').split('\r\n', 1)[0]!));
    socket.on('error', () => {});
  }
  await expect.poll(() => answers.length).toBe(40);
  expect(new Set(answers)).toEqual(new Set(['HTTP/1.1 401 Unauthorized']));
  expect(await statusOfWebhook(bed, 'acme', bed.secrets['ACME_HOOK']!)).toBe(200);
  expect(await statusOfWebhook(bed, 'globex', bed.secrets['GLOBEX_HOOK']!)).toBe(200);
  // The server ends them after 10 s, and would have begun.
  expect(answers).toHaveLength(40);
});
