import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openTenantsBed, type BedOptions, type BedTenant } from '../support/tenants-bed.ts';
import { textOf } from '../support/test-bed.ts';

const startBed = (options: BedOptions) => openTenantsBed(options, onTestFinished);

async function listOf({ workspace }: BedTenant): Promise<string> {
  return textOf(await (await workspace.as(workspace.people.ada.id).command('/quiz list')).reply());
}

const messagesOf = (lines: readonly string[]) => lines.map((line) => JSON.parse(line).msg as string);

test('a tenant is added, changed and removed while another one goes on with the same bot', async () => {
  const bed = await startBed({ names: ['acme'] });
  const acme = bed.tenants.get('acme')!;
  const isUp = () => bed.lines.filter((line) => line.includes('"tenant":"acme"') && line.includes('is up')).length;
  expect(await listOf(acme)).toContain('Workplace safety');
  const globex = await bed.open('globex');
  await bed.reload();
  expect(await listOf(globex)).toContain('Workplace safety');
  globex.settings['NOTIFY_RESPONDENTS'] = false;
  await bed.reload();
  expect(await listOf(globex)).toContain('Workplace safety');
  bed.tenants.delete('globex');
  await bed.reload();
  expect((await fetch(`${bed.url}/slack/events/globex`, { method: 'POST', body: '{}' })).status).toBe(404);
  expect(await listOf(acme)).toContain('Workplace safety');
  expect(isUp()).toBe(1);
});

test('the file is followed without being told', async () => {
  const bed = await startBed({ names: ['acme'] });
  const globex = await bed.open('globex');
  bed.write();
  await expect.poll(async () => (await fetch(`${bed.url}/readyz/globex`)).status).toBe(200);
  expect(await listOf(globex)).toContain('Workplace safety');
});

test('a tenant that can’t start, or is described wrongly, stops no other, and starts once it can', async () => {
  const bed = await startBed({
    names: ['acme', 'broken', 'faulty'],
    optionsOf: (name) => ({ settings: name === 'faulty' ? { TIME_ZONE: 'Atlantis' } : {} }),
    // The folder of one tenant is a file.
    prepare: (dataDir) => writeFileSync(join(dataDir, 'tenants', 'broken'), ''),
  });
  const [acme, broken, faulty] = ['acme', 'broken', 'faulty'].map((name) => bed.tenants.get(name)!);
  expect(await listOf(acme!)).toContain('Workplace safety');
  expect(await (await fetch(`${bed.url}/readyz`)).json()).toEqual({
    ready: true,
    tenants: { acme: 'up', broken: 'broken' },
  });
  expect((await fetch(`${bed.url}/slack/events/broken`, { method: 'POST', body: '{}' })).status).toBe(503);
  const told = bed.lines.map((line) => JSON.parse(line)).find(({ tenant }) => tenant === 'faulty');
  expect(told).toMatchObject({ level: 'error', faults: ['TIME_ZONE must be a time zone name such as Europe/Berlin.'] });

  bed.unblock('broken');
  await expect
    .poll(async () => (await fetch(`${bed.url}/readyz`)).json())
    .toMatchObject({
      tenants: { broken: 'up' },
    });
  expect(await listOf(broken!)).toContain('Workplace safety');
  delete faulty!.settings['TIME_ZONE'];
  await bed.reload();
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

test('a file that can’t be read, and a tenant that is described wrongly later, leave the bots as they were', async () => {
  const bed = await startBed({ names: ['acme'] });
  const acme = bed.tenants.get('acme')!;
  bed.writeText('tenants: [');
  await bed.app.reload();
  expect(messagesOf(bed.lines)).toContain('the file of tenants can’t be read: everything stays as it was');
  expect(await listOf(acme)).toContain('Workplace safety');
  acme.settings['HOLIDAYS'] = 'some day';
  await bed.reload();
  expect(messagesOf(bed.lines)).toContain('a tenant is described wrongly: it stays as it was');
  expect(await listOf(acme)).toContain('Workplace safety');
});

test('while its bot starts anew, a tenant and its account ask for what comes to be sent again later', async () => {
  const bed = await startBed({
    names: ['acme', 'north'],
    accounts: ['group'],
    optionsOf: (name) => (name === 'north' ? { account: 'group' } : {}),
  });
  for (const tenant of bed.tenants.values()) tenant.settings['NOTIFY_RESPONDENTS'] = false;
  const statuses = new Map<string, Set<number>>();
  const reloaded = new AbortController();
  const reloading = bed.reload().finally(() => reloaded.abort());
  const paths = ['/slack/events/acme', '/webhooks/quiz/acme', '/webhooks/quiz/north', '/webhooks/quiz/group'];
  while (!reloaded.signal.aborted)
    for (const path of paths) {
      const { status } = await fetch(bed.url + path, { method: 'POST', body: '{}' });
      statuses.set(path, (statuses.get(path) ?? new Set()).add(status));
    }
  await reloading;
  // 401: nothing is signed.
  for (const path of paths)
    expect([...statuses.get(path)!].filter((status) => status !== 401 && status !== 503)).toEqual([]);
  expect(statuses.get('/slack/events/acme')).toContain(503);
});

test('the data of a removed tenant is kept, or erased 30 days after that was said, and it comes back until then', async () => {
  let now = Date.now();
  const bed = await startBed({ names: ['acme', 'globex'], clock: { now: () => now } });
  const globex = bed.tenants.get('globex')!;
  const folder = join(bed.dataDir, 'tenants', 'globex');
  const remove = async (fate?: 'keep' | 'erase') => {
    bed.tenants.delete('globex');
    await bed.reload(fate === undefined ? {} : { globex: fate });
  };
  await remove();
  await expect.poll(() => bed.lines.join('\n')).toContain('a tenant is not in the file any more');
  await remove('erase');
  await expect.poll(() => existsSync(join(folder, 'erase-since'))).toBe(true);
  now += 29 * 24 * 3_600_000;
  await remove('erase');
  bed.tenants.set('globex', globex);
  await bed.reload();
  expect(await (await fetch(`${bed.url}/readyz`)).json()).toMatchObject({ tenants: { globex: 'up' } });
  await expect.poll(() => existsSync(join(folder, 'erase-since'))).toBe(false);
  await remove('erase');
  await expect.poll(() => existsSync(join(folder, 'erase-since'))).toBe(true);
  now += 29 * 24 * 3_600_000;
  await remove('erase');
  expect(existsSync(folder)).toBe(true);
  now += 2 * 24 * 3_600_000;
  await remove('erase');
  await expect.poll(() => existsSync(folder)).toBe(false);
  expect(messagesOf(bed.lines)).toContain('the data of a removed tenant is erased');
});
