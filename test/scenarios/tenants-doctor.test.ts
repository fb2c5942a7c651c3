import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { askDoctor, runDoctor } from '../support/doctor.ts';
import { openTenantsBed } from '../support/tenants-bed.ts';

test('the doctor checks one tenant of the file, with its own address, while its bot runs', async () => {
  const bed = await openTenantsBed({ names: ['acme', 'globex'] }, onTestFinished);
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
