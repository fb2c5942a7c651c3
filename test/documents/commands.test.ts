import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { documents } from '../support/documents.ts';
import { read } from '../support/project-files.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** The commands in blocks of the documents, by page. */
const pages = documents
  .map((path) => ({
    path,
    commands: [...read(path).matchAll(/^ *```sh\n(.+?)```/gms)].flatMap(([, block]) => block!.trim().split('\n')),
  }))
  .filter(({ commands }) => commands.length > 0);

/** What is not run here, by how it begins, and why: a test file that runs it, or what it needs. */
const elsewhere: Readonly<Record<string, string>> = {
  'npm ci --omit=dev': 'installs packages from the registry',
  'npm run doctor': 'test/scenarios/set-up.test.ts',
  'npm run erase-tenant': 'test/storage/erase-store.test.ts',
  'npm run check': 'checks the whole project, as CI does',
  'npx vitest run': 'runs tests, as this is one',
  'node verify.mjs': 'test/features/evidence/verify.test.ts',
  'systemctl enable': 'needs systemd as the first process',
  'journalctl --unit': 'needs systemd as the first process',
  'xargs -0': 'needs the unit of systemd to run',
  'docker compose': 'needs a Docker daemon',
  'kubectl apply': 'needs a cluster',
  'kubectl exec': 'needs a cluster',
};
const hasProgram = (name: string) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;

const reasonOf = (command: string) => Object.entries(elsewhere).find(([begin]) => command.startsWith(begin))?.[1];

test.each(pages)('$path has only commands that run as written, or are run elsewhere', ({ commands }) => {
  const folder = temporaryDirectory();
  for (const name of ['deploy', '.env.example']) cpSync(name, join(folder, name), { recursive: true });
  for (const name of ['data', 'root/var/lib/invigilator', 'root/root', 'root/backups', 'root/etc/systemd/system']) {
    mkdirSync(join(folder, name), { recursive: true });
    const store = new DatabaseSync(join(folder, name, 'invigilator.sqlite'));
    store.exec('CREATE TABLE kept (value)');
    store.close();
  }
  spawnSync('touch', ['.env'], { cwd: folder });
  // Folders of the machine are folders of the test.
  const root = join(folder, 'root');
  /** A machine may lack kubectl, openssl and sqlite3. CI has them. */
  const isHere = (command: string) =>
    reasonOf(command) === undefined && (process.env['CI'] === 'true' || hasProgram(command.split(' ')[0]!));
  for (const command of commands.filter(isHere)) {
    const here = command
      .replaceAll(/(?<=[\s'"])\/(?=(?:etc|var|root|backups)\b)/g, `${root}/`)
      .replace('kubectl create secret', 'kubectl create --dry-run=client --output name secret');
    const { status, stderr } = spawnSync('sh', ['-c', here], {
      cwd: folder,
      encoding: 'utf8',
      input: 'pasted\n',
      env: { PATH: process.env['PATH'], HOME: folder, DATA_DIR: join(folder, 'data') },
    });
    expect({ command, stderr, status }).toEqual({ command, stderr: '', status: 0 });
  }
});

test('what is run elsewhere is in a document, and a test that is named for it exists and has it', () => {
  const all = pages.flatMap(({ commands }) => commands);
  for (const [begin, reason] of Object.entries(elsewhere)) {
    expect(all.some((command) => command.startsWith(begin))).toBe(true);
    if (!reason.startsWith('test/')) continue;
    expect(existsSync(reason)).toBe(true);
    expect(read(reason)).toContain(begin.split(' ').at(-1));
  }
});

test.skipIf(!hasProgram('kubectl'))('the certificate of a company gets into the pods as the page Install says', () => {
  const folder = temporaryDirectory();
  cpSync('deploy/kubernetes', folder, { recursive: true });
  const [, added = ''] = /```yaml\n(configMapGenerator:\n.+?)```/s.exec(read('docs/install.md'))!;
  const [generator = '', patches = ''] = added.split(/(?=^patches:)/m);
  const kustomization = read('deploy/kubernetes/kustomization.yaml');
  expect(kustomization).toContain('configMapGenerator:\n');
  spawnSync('sh', ['-c', 'cat > kustomization.yaml && echo certificate > ca.pem'], {
    cwd: folder,
    input: `${kustomization.replace('configMapGenerator:\n', generator)}${patches}`,
  });
  const { stdout, stderr } = spawnSync('kubectl', ['kustomize', folder], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(stdout).toMatch(/mountPath: \/run\/company-ca\n +name: company-ca\n/);
  expect(stdout).toMatch(/configMap:\n +name: company-ca-\w+\n +name: company-ca\n/);
});
